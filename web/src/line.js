// A line to whatever works things out: a web socket to a server, or, where there is none, a channel to the Python that
// runs in this browser. Both are used alike. The address of a page without a server names the channel (`on`) and the
// path that the page shows (`at`).
const place = new URLSearchParams(location.search);
const AGAIN = 300;

// The channel of this page and its frames, if no server stands behind them.
export const inside = document.body.dataset.inside === undefined ? "" : place.get("on") ?? crypto.randomUUID();

// The address at which a path of the server is shown.
export function address(path) {
  if (!inside) return path;
  const [at, step] = path.split("#");
  return `table.html?${new URLSearchParams({ on: inside, at })}${step ? `#${step}` : ""}`;
}

export const here = () => (inside ? place.get("at") : location.pathname);

export function line(path) {
  if (inside) return new Inside(place.get("at") ?? path);
  const found = new URL(path, location.href);
  found.protocol = found.protocol.replace("http", "ws");
  return new WebSocket(found);
}

class Inside {
  readyState = WebSocket.CONNECTING;

  constructor(path) {
    const from = crypto.randomUUID();
    this.channel = new BroadcastChannel(inside);
    this.send = (text) => this.channel.postMessage({ to: "python", from, text });
    // Whoever is not there yet hears nothing, so it is said until it is answered.
    const knock = setInterval(() => this.channel.postMessage({ to: "python", from, path }), AGAIN);
    this.channel.onmessage = ({ data }) => {
      if (data.to !== from) return;
      if (data.text !== null) return this.onmessage({ data: data.text });
      clearInterval(knock);
      if (this.readyState === WebSocket.OPEN) return;
      this.readyState = WebSocket.OPEN;
      this.onopen();
    };
    addEventListener("pagehide", () => this.channel.postMessage({ to: "python", from, gone: true }));
  }
}
