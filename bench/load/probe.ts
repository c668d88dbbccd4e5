/** Asks /healthz again and again; milliseconds of the answers. */
const [root, seconds] = process.argv.slice(2)
const waits: number[] = []
const end = performance.now() + Number(seconds) * 1000
while (performance.now() < end) {
  const started = performance.now()
  await (await fetch(`${root}/healthz`)).text()
  waits.push(performance.now() - started)
  await Bun.sleep(10)
}
waits.sort((a, b) => a - b)
const at = (part: number) => waits[Math.floor(waits.length * part)]!.toFixed(1)
console.log(JSON.stringify({ p50: at(0.5), p99: at(0.99), max: at(0.999999), calls: waits.length }))

export {}
