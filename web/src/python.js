// The worker in which Python runs: it is unpacked from the wheels beside it, and hears what pages say on a channel.
const here = (name) => new URL(name, import.meta.url).href;
const say = (said, failed = false) => postMessage({ said, failed });

onmessage = async ({ data: { channel: name, link } }) => {
  try {
    say("Starting Python …");
    const { loadPyodide } = await import(here("../pyodide/pyodide.mjs"));
    const [python, wheels] = await Promise.all([
      loadPyodide({ indexURL: here("../pyodide/"), env: { HOME: "/home", RULELANG_CACHE: "off" } }),
      fetch(here("../wheels/wheels.json")).then((found) => found.json()),
    ]);
    const packed = await Promise.all(wheels.map((one) => fetch(here(`../wheels/${one}`)).then((it) => it.arrayBuffer())));
    for (const one of packed) python.unpackArchive(one, "wheel");
    say("Reading the rules …");
    const channel = new BroadcastChannel(name);
    const { Playground } = python.pyimport("rulelang.editing.playground");
    const playground = Playground.opened(link, "/games", (to, text) => channel.postMessage({ to, text: text ?? null }));
    channel.onmessage = ({ data }) => {
      if (data.to === "python") playground.hear.callKwargs(data.from, data.path, data.text, { gone: data.gone === true });
    };
    say("");
  } catch (error) {
    // The last line of an error of Python is what a person can read.
    say(`${error.message}`.trim().split("\n").at(-1).replace(/^[\w.]+: /, ""), true);
  }
};
