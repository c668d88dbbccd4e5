import { readFileSync } from "node:fs"

/**
 * Requests /healthz again and again, and prints milliseconds. If the system reports how long both
 * sides waited for a processor, a second set subtracts it: on a machine with other work, it shows
 * how long the answering thread was busy with its own work.
 */
const [root, seconds, server] = process.argv.slice(2)
const waits: number[] = []
const held: number[] = []
const end = performance.now() + Number(seconds) * 1000
while (performance.now() < end) {
  const before = queuedMs()
  const started = performance.now()
  await (await fetch(`${root}/healthz`)).text()
  const ms = performance.now() - started
  waits.push(ms)
  held.push(Math.max(0, ms - (queuedMs() - before)))
  await Bun.sleep(10)
}
const at = (list: number[], part: number) => list[Math.floor(list.length * part)]!.toFixed(1)
for (const list of [waits, held]) list.sort((a, b) => a - b)
const figures = { p50: at(waits, 0.5), p99: at(waits, 0.99), max: at(waits, 0.999999) }
const own = { "p99 held": at(held, 0.99), "max held": at(held, 0.999999) }
console.log(JSON.stringify({ ...figures, ...own, calls: waits.length }))

/**
 * Returns how long the answering thread and this process were ready to run without a processor; 0
 * if the system does not report it.
 */
function queuedMs(): number {
  return queuedOf(`/proc/${server}/task/${server}`) + queuedOf("/proc/thread-self")
}

function queuedOf(folder: string): number {
  try {
    return Number(readFileSync(`${folder}/schedstat`, "utf8").split(" ")[1]) / 1e6
  } catch {
    return 0
  }
}
