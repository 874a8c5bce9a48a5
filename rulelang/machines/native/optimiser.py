"""LLVM IR -> object code for this processor, plain or optimised.

object_code(b"define i64 @one() { ret i64 1 }", PLAIN)      what `native.code` loads and keeps
python -P optimiser.py < packed > object                    the same, optimised, in a process of its own

It imports nothing of rulelang, so such a process is at work in a moment.
"""

from __future__ import annotations

import sys
from typing import Any

PLAIN, OPTIMISED = 0, 2
"""The efforts: plain code is made in a tenth of the time or less, and runs at about half the speed."""


def target(effort: int) -> Any:
    """Returns LLVM's description of this processor, for code that is made with some effort."""
    import llvmlite.binding as llvm

    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    cpu, features = llvm.get_host_cpu_name(), llvm.get_host_cpu_features().flatten()
    return llvm.Target.from_default_triple().create_target_machine(cpu=cpu, features=features, opt=effort)


def object_code(text: bytes, effort: int) -> bytes:
    """Returns the object code of a module; raises RuntimeError if LLVM finds the module broken."""
    import llvmlite.binding as llvm

    machine, module = target(effort), llvm.parse_assembly(text.decode())
    module.verify()
    if effort:
        builder = llvm.create_pass_builder(machine, llvm.create_pipeline_tuning_options(speed_level=effort))
        builder.getModulePassManager().run(module, builder)
    return bytes(machine.emit_object(module))


def packed(text: str) -> bytes:
    """Returns a text as it is kept and sent to another process."""
    import zlib

    return zlib.compress(text.encode(), 1)


def optimised(text: bytes) -> bytes:
    """Returns the optimised object code of a module whose text is packed."""
    import zlib

    return object_code(zlib.decompress(text), OPTIMISED)


if __name__ == "__main__":
    sys.stdout.buffer.write(optimised(sys.stdin.buffer.read()))
