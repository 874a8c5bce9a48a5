// Starts `rulelang lsp` for files of rules.
const { workspace } = require("vscode");
const { LanguageClient, TransportKind } = require("vscode-languageclient/node");

let client;

exports.activate = () => {
  const [command, ...args] = workspace.getConfiguration("rulelang").get("command");
  const server = { command, args, transport: TransportKind.stdio };
  client = new LanguageClient("rulelang", "Rules", server, { documentSelector: [{ language: "rules" }] });
  return client.start();
};

exports.deactivate = () => client?.stop();
