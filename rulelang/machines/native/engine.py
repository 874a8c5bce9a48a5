"""Machine code in memory, the types of its functions, and the memory that they write to.

loaded(code).get_function_address("play_out")    of object code; raises RulelangError without llvmlite
step, restart = python_functions(address, {"step": WITH_ONE, "restart": WITHOUT_ARGUMENTS}, (words, …))
step(3)                                          Python calls these as its own: a tenth of the time of `ctypes`
"""

from __future__ import annotations

import threading
from array import array
from collections.abc import Callable, Mapping
from ctypes import (
    CFUNCTYPE,
    POINTER,
    Structure,
    c_char_p,
    c_double,
    c_int,
    c_int64,
    c_void_p,
    cast,
    py_object,
    pythonapi,
)
from importlib.util import find_spec
from typing import Any, Protocol

from rulelang.errors import RulelangError
from rulelang.machines.native.optimiser import PLAIN, target
from rulelang.program.llvm.called import INTERPRETER
from rulelang.program.llvm.shape import Shape

MISSING = "the native executor needs llvmlite: pip install 'rulelang[native]', or take executor=\"generated\""
ALONE = CFUNCTYPE(c_int64, c_void_p)
CALL = CFUNCTYPE(c_int64, c_void_p, c_void_p, c_int64)
EACH = CFUNCTYPE(c_int64, c_void_p, c_void_p, c_void_p, c_int64, c_int64, c_int64)
AHEAD = CFUNCTYPE(c_double, c_void_p, c_void_p, c_void_p, c_int64, c_int64, c_int64)
THREE = CFUNCTYPE(c_int64, c_void_p, c_void_p, c_void_p)
MANY = CFUNCTYPE(c_int64, *[c_void_p] * 5, *[c_int64] * 6)
COUNTED = CFUNCTYPE(c_int64, *[c_void_p] * 5, *[c_int64] * 6, c_void_p)
WITHOUT_ARGUMENTS, WITH_ONE, WITH_SEVERAL = 4, 8, 128
"""How the interpreter calls a function: METH_NOARGS, METH_O, METH_FASTCALL."""


class Method(Structure):
    """A function as the interpreter describes it: PyMethodDef."""

    _fields_ = (("name", c_char_p), ("call", c_void_p), ("flags", c_int), ("doc", c_char_p))


_callable = pythonapi.PyCFunction_NewEx
_callable.restype, _callable.argtypes = py_object, (POINTER(Method), py_object, c_void_p)


def python_functions(address: Callable[[str], int], forms: Mapping[str, int], state: tuple[Any, ...]) -> list[Any]:
    """Returns functions of machine code by their names and forms; each is given the state, which lives as long as they
    do."""
    methods = tuple(Method(name.encode(), address(name), form, None) for name, form in forms.items())
    # The interpreter does not keep what describes a function.
    kept = (*state, methods)
    return [_callable(method, kept, None) for method in methods]


class NativeMemory(threading.local):
    """Memory that machine code writes to, one for each thread: a row, a frame beside it, and the words of a thought."""

    def __init__(self, row: int, frame: int, thought: int) -> None:
        self.row, self.frame, self.thought = (array("q", bytes(8 * size)) for size in (row, frame, thought))
        self.row_at, self.frame_at, self.thought_at = (
            memory.buffer_info()[0] for memory in (self.row, self.frame, self.thought)
        )
        self.all_at = self.row_at, self.frame_at, self.thought_at


def places_of(shape: Shape) -> list[tuple[int, int, int]]:
    """Returns the slots whose words lie behind all slots, and where the bytes of each begin and end there."""
    places, start = [], 0
    for slot, _, width in shape.wide:
        places.append((slot, start, start + 8 * width))
        start += 8 * width
    return places


class Engine(Protocol):
    """Machine code in memory; it is freed with this object."""

    def get_function_address(self, name: str) -> int: ...


def demand_llvm() -> None:
    """Raises RulelangError if llvmlite is not installed, which takes long to import."""
    if find_spec("llvmlite") is None:
        raise RulelangError(MISSING)


def binding() -> Any:
    """Returns llvmlite's binding, initialised; raises RulelangError if it cannot be imported."""
    try:
        import llvmlite.binding as llvm
    except ImportError:
        raise RulelangError(MISSING) from None
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    for name, _, _ in INTERPRETER:
        llvm.add_symbol(name, cast(getattr(pythonapi, name), c_void_p).value)
    return llvm


def code_name() -> str:
    """Returns the name under which machine code is kept, which contains the processor and the version of LLVM."""
    llvm = binding()
    cpu, features = llvm.get_host_cpu_name(), llvm.get_host_cpu_features().flatten()
    return f"machine code {llvm.llvm_version_info} {llvm.get_default_triple()} {cpu} {features}"


def loaded(code: bytes) -> Engine:
    """Returns object code in memory, ready to run."""
    llvm = binding()
    found = llvm.create_mcjit_compiler(llvm.parse_assembly(""), target(PLAIN))
    found.add_object_file(llvm.ObjectFileRef.from_data(code))
    found.finalize_object()
    return found  # type: ignore[no-any-return]
