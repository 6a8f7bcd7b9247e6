// Python in a worker: started, asked, stopped.

/** @import { Named, Ran, Reply, Order, Settings } from "./types.d.ts" */

/** @typedef {{ loading: (share: number, text: string) => void, step: (text: string, share: number) => void }} Watch */

/** The only text that becomes the address of a script is that of the worker, below. */
const policy = /** @type {any} */ (globalThis).trustedTypes?.createPolicy("referee", {
  createScriptURL: (/** @type {string} */ address) => address,
}) ?? { createScriptURL: (/** @type {string} */ address) => address };

export class Engine {
  /** @param {Settings} settings @param {Watch} watch */
  constructor(settings, watch) {
    this.settings = settings;
    this.watch = watch;
    this.total = Object.values(settings.sizes).reduce((sum, size) => sum + size, 0);
    /** @type {Worker | null} */
    this.worker = null;
    /** @type {{ done: (reply: any) => void, failed: (error: Error) => void } | null} */
    this.waiting = null;
  }

  /** Loads Python; settled when it is ready. */
  async start() {
    const text = await (await fetch("worker.js")).blob();
    const address = URL.createObjectURL(new Blob([text], { type: "text/javascript" }));
    this.worker = new Worker(policy.createScriptURL(address), { type: "module" });
    this.worker.onmessage = ({ data }) => this.hear(data);
    this.worker.onerror = (event) => this.settle("failed", new Error(event.message || "the worker does not start"));
    await this.ask({ does: "load", settings: this.settings, base: document.baseURI });
    URL.revokeObjectURL(address);
  }

  /** Ends what runs, and loads Python anew. */
  stop() {
    this.worker?.terminate();
    this.waiting = null;
    return this.start();
  }

  /** @param {string[]} argv @param {Named[]} files @returns {Promise<Ran>} */
  run(argv, files) {
    return this.ask({ does: "run", argv, files });
  }

  /** @param {string} form @returns {Promise<string>} */
  async report(form) {
    return (await this.ask({ does: "report", form })).text;
  }

  /** @param {Order} request @returns {Promise<any>} */
  ask(request) {
    return new Promise((done, failed) => {
      this.waiting = { done, failed };
      this.worker?.postMessage(request);
    });
  }

  /** @param {Reply} reply */
  hear(reply) {
    if (reply.is === "loading") {
      const megabytes = (/** @type {number} */ bytes) => (bytes / 1e6).toFixed(1);
      const bytes = Math.min(reply.bytes, this.total);
      this.watch.loading(bytes / this.total, `loading Python: ${megabytes(bytes)} of ${megabytes(this.total)} MB`);
    } else if (reply.is === "step") this.watch.step(reply.text, reply.share);
    else if (reply.is === "failed") this.settle("failed", new Error(reply.message));
    else this.settle("done", reply);
  }

  /** @param {"done" | "failed"} how @param {any} value */
  settle(how, value) {
    const { waiting } = this;
    this.waiting = null;
    waiting?.[how](value);
  }
}
