// Starts `rulelang lsp` for files of rules and their ledgers; plays on from scenarios in a terminal.
const path = require("path");
const { Uri, commands, window, workspace } = require("vscode");
const { LanguageClient, TransportKind } = require("vscode-languageclient/node");

let client;

// The entry file of the game that a file belongs to: nim/nim.rules for all files below nim.
async function entryOf(file) {
  for (let folder = path.dirname(file), n = 0; n < 4; n++, folder = path.dirname(folder)) {
    const entry = path.join(folder, `${path.basename(folder)}.rules`);
    try {
      await workspace.fs.stat(Uri.file(entry));
      return entry;
    } catch {
      // The game may lie higher up.
    }
  }
  return file;
}

async function play(uri, scenario) {
  const [program] = workspace.getConfiguration("rulelang").get("command");
  const terminal = window.createTerminal({
    name: "rulelang",
    shellPath: program,
    shellArgs: ["play", await entryOf(Uri.parse(uri).fsPath), "--from", scenario],
  });
  terminal.show();
}

exports.activate = (context) => {
  const [command, ...args] = workspace.getConfiguration("rulelang").get("command");
  const server = { command, args, transport: TransportKind.stdio };
  const documentSelector = [{ language: "rules" }, { pattern: "**/rulebook.toml" }];
  const initializationOptions = { explanations: true };
  client = new LanguageClient("rulelang", "Rules", server, { documentSelector, initializationOptions });
  // The link behind a code leads to a page that the server writes.
  const provideTextDocumentContent = async (uri) =>
    (await client.sendRequest("rulelang/explain", { code: path.basename(uri.path, ".md") })).text;
  context.subscriptions.push(workspace.registerTextDocumentContentProvider("rulelang-explain", { provideTextDocumentContent }));
  context.subscriptions.push(commands.registerCommand("rulelang.play", play));
  return client.start();
};

exports.deactivate = () => client?.stop();
