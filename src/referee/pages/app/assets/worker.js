// The worker: loads Pyodide and the package, then runs verbs of the command on files. It has no imports, as the page makes it
// of this text, so that it is bound by the page's security policy.

/** @import { Load, Reply, Order, Run } from "./types.d.ts" */

const FILES = "/files";
const WRITTEN = "/tmp/written";

/** @type {any} */
let python;
/** @type {any} */
let command;

/** @param {Reply} reply @param {Transferable[]} [moved] */
const tell = (reply, moved = []) => self.postMessage(reply, { transfer: moved });

/** Counts what is loaded. */
function countLoading() {
  const { fetch } = self;
  let bytes = 0;
  const add = (/** @type {number} */ more) => tell({ is: "loading", bytes: (bytes += more) });
  self.fetch = async (...request) => {
    const response = await fetch(...request);
    if (!response.body || !response.ok) return response;
    const counted = response.body.pipeThrough(new TransformStream({
      transform(chunk, controller) {
        add(chunk.length);
        controller.enqueue(chunk);
      },
    }));
    const { status, statusText, headers } = response;
    return new Response(counted, { status, statusText, headers });
  };
}

/** From here on nothing can be asked for and nothing can be sent. */
function cutOff() {
  for (const way of ["fetch", "XMLHttpRequest", "WebSocket", "EventSource", "WebTransport", "Worker", "importScripts"]) {
    Object.defineProperty(self, way, { value: undefined });
  }
}

/** @param {Load} request */
async function load({ settings, base }) {
  countLoading();
  const refuse = () => { // as in every worker that is a module; but browsers would report that it was tried
    throw new TypeError("expected import");
  };
  Object.defineProperty(self, "importScripts", { value: refuse, configurable: true });
  const at = new URL(settings.pyodide, base).href;
  const { loadPyodide } = await import(`${at}pyodide.mjs`);
  const archive = fetch(new URL(settings.package, base)).then((response) => response.arrayBuffer());
  python = await loadPyodide({ indexURL: at, env: { HOME: "/tmp", COLUMNS: "100" } });
  await python.loadPackage("numpy", { messageCallback() {}, errorCallback() {} });
  python.unpackArchive(await archive, "zip", { extractDir: "/package" });
  python.FS.mkdirTree(FILES);
  cutOff();
  tell({ is: "step", text: "starting Referee", share: 0 });
  python.runPython('import os, sys; sys.path.insert(0, "/package"); os.chdir("/tmp")');
  command = python.pyimport("referee.cli.browser");
  python.pyimport("referee.cli.score");
  return {};
}

/** @param {Run} request */
function run({ argv, files }) {
  const { FS } = python;
  FS.mount(FS.filesystems.WORKERFS, { blobs: files.map(({ name, file }) => ({ name, data: file })) }, FILES);
  FS.chdir(FILES);
  const args = python.toPy(argv);
  try {
    const show = (/** @type {string} */ text, /** @type {number} */ share) => tell({ is: "step", text, share });
    const outcome = JSON.parse(command.run(args, show));
    const written = FS.analyzePath(WRITTEN).exists ? FS.readFile(WRITTEN) : null;
    return { outcome, written };
  } finally {
    args.destroy();
    FS.chdir("/tmp");
    FS.unmount(FILES);
    if (FS.analyzePath(WRITTEN).exists) FS.unlink(WRITTEN);
  }
}

self.onmessage = async (/** @type {MessageEvent<Order>} */ { data }) => {
  try {
    if (data.does === "load") tell({ is: "done", ...await load(data) });
    else if (data.does === "report") tell({ is: "done", text: command.report(data.form) });
    else {
      const ran = run(data);
      tell({ is: "done", ...ran }, ran.written ? [ran.written.buffer] : []);
    }
  } catch (error) {
    tell({ is: "failed", message: String(/** @type {Error} */ (error).message ?? error) });
  }
};
