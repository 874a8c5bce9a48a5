// The open files, as the language client and the server agree on them: see WindowText in rulelang/editing/texts/merging.py.
import { LSPPlugin, Workspace } from "@codemirror/lsp-client";
import { Transaction } from "@codemirror/state";
import { beside, changed, distance } from "./merging.js";

const SCHEME = "rules:///";
export const uriOf = (file) => SCHEME + file.split("/").map(encodeURIComponent).join("/");
export const fileOf = (uri) => decodeURIComponent(uri.slice(SCHEME.length));

const PAST = 20; // The texts that were sent before the last, one of which may be the last that the server has heard.

// The open files, each with an editor of its own, of which one is shown.
export class Files extends Workspace {
  files = [];
  versions = new Map();

  // `opens` makes the editor of a file, `shows` turns to it.
  constructor(client, opens, shows) {
    super(client);
    Object.assign(this, { opens, shows });
  }

  // After the line was down, texts are compared before any is sent: see `rejoin`.
  disconnected() {
    for (const file of this.files) file.isAway = true;
  }

  connected() {}

  // What another window changed meanwhile is taken, and what was changed here is sent. A text that the server has not
  // heard of is known by what was sent before it.
  async rejoin() {
    for (const file of this.files.filter((one) => one.isAway)) {
      const base = file.doc.toString();
      const { text = base } = await this.client.request("rulelang/read", { file: fileOf(file.uri) });
      // The server may have heard only an earlier text: the one of which its own is the smallest change.
      const heard = [...file.past, base].reduce((a, b) => (distance(b, text) <= distance(a, text) ? b : a));
      this.replace(file.view, beside(heard, text, changed(heard, file.view.state.doc.toString())));
      file.isAway = false;
      LSPPlugin.get(file.view)?.clear();
      const past = [...file.past.slice(-PAST), text];
      Object.assign(file, { doc: file.view.state.doc, past, version: this.next(file.uri) });
      this.client.didOpen(file);
    }
  }

  // A text that was changed elsewhere is taken, with what was typed here since this page sent its own. One that does not
  // contain what was sent last is passed over: the server will tell another that does.
  hear({ file: name, text, version }) {
    const file = this.getFile(uriOf(name));
    if (!file || file.isAway || version !== file.version) return;
    this.take(file, text);
    this.client.notification("rulelang/took", { file: name });
    this.client.sync();
  }

  take({ view, doc }, text) {
    this.replace(view, beside(doc.toString(), text, LSPPlugin.get(view).unsyncedChanges));
  }

  replace(view, changes) {
    if (!changes.empty) view.dispatch({ changes, annotations: Transaction.addToHistory.of(false) });
  }

  next(uri) {
    this.versions.set(uri, (this.versions.get(uri) ?? -1) + 1);
    return this.versions.get(uri);
  }

  syncFiles() {
    const found = [];
    for (const file of this.files) {
      const plugin = LSPPlugin.get(file.view);
      if (!plugin || plugin.unsyncedChanges.empty || file.isAway) continue;
      found.push({ changes: plugin.unsyncedChanges, file, prevDoc: file.doc });
      file.past = [...file.past.slice(-PAST), file.doc.toString()];
      file.doc = file.view.state.doc;
      file.version = this.next(file.uri);
      plugin.clear();
    }
    return found;
  }

  openFile(uri, languageId, view) {
    const file = { uri, languageId, version: this.next(uri), doc: view.state.doc, view, past: [], getView: () => view };
    this.files.push(file);
    this.client.didOpen(file);
  }

  closeFile(uri) {
    this.files = this.files.filter((file) => file.uri !== uri);
  }

  async requestFile(uri) {
    if (uri.startsWith(SCHEME)) await this.opens(fileOf(uri));
    return this.getFile(uri);
  }

  async updateFile(uri, update) {
    const file = await this.requestFile(uri);
    file?.view.dispatch(update);
  }

  async displayFile(uri) {
    return uri.startsWith(SCHEME) ? this.shows(fileOf(uri)) : null;
  }
}
