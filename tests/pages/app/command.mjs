// Runs commands in Pyodide: node command.mjs PYODIDE PACKAGE JOBS RESULTS FOLDER ...

import { readFileSync, realpathSync, writeFileSync } from "node:fs";
import process from "node:process";

const [pyodide, archive, jobs, results, ...folders] = process.argv.slice(2);
const { loadPyodide } = await import(`${pyodide}/pyodide.mjs`);
const python = await loadPyodide({ indexURL: `${pyodide}/`, env: { HOME: "/tmp" } });
await python.loadPackage("numpy", { messageCallback() {} });
python.unpackArchive(new Uint8Array(readFileSync(archive)), "zip", { extractDir: "/package" });
for (const folder of folders) {
  python.FS.mkdirTree(folder);
  python.FS.mount(python.FS.filesystems.NODEFS, { root: realpathSync(folder) }, folder);
}
python.runPython('import sys; sys.path.insert(0, "/package")');
const run = python.runPython(`
import io, contextlib
from referee.cli.main import main

def run(argv):
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        status = main(argv)
    return [status, out.getvalue(), err.getvalue()]

run`);
const outcomes = JSON.parse(readFileSync(jobs, "utf8")).map((argv) => run(python.toPy(argv)).toJs());
writeFileSync(results, JSON.stringify(outcomes));
