// The workbench without a server: Python is started beside the page, and the editor talks with it.
import { inside } from "./line.js";

const notice = document.getElementById("notice");
const worker = new Worker(new URL("./python.js", import.meta.url), { type: "module" });
worker.onmessage = ({ data }) => {
  notice.textContent = data.said;
  notice.classList.toggle("shown", data.said !== "");
  notice.classList.toggle("trouble", data.failed === true);
  if (data.failed) document.body.dataset.failed = "true";
};
worker.onerror = () => worker.onmessage({ data: { said: "Python cannot be started in this browser.", failed: true } });
worker.postMessage({ channel: inside, link: decodeURIComponent(location.hash.slice(1)) || "outspeed" });
addEventListener("hashchange", () => location.reload());
await import("./editor.js");
