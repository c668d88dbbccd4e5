/**
 * A process that has a task done in a thread, and then nothing more to do. Its exit code shows
 * whether it waited.
 */
import { WatchedThreads } from "../../src/base/watched-threads.ts"
import type { EchoThread } from "./echo-thread.ts"

const waitedMs = 20_000
const limits = { milliseconds: 60_000, memory: Number.MAX_SAFE_INTEGER, idleMs: 600_000 }
const url = new URL("./echo-thread.ts", import.meta.url).href
const threads = new WatchedThreads<EchoThread>(url, limits, (what) => new Error(what))
for (const text of ["one", "two"])
  console.log(await threads.do({ id: "" }, (calls) => calls.echo(text)))
setTimeout(() => process.exit(3), waitedMs).unref()
