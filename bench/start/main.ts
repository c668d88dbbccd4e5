/**
 * Compares the executable with one that is compiled in the same way from a server of ten lines:
 * size, time and processor time from the start to the first response, memory when idle, and memory
 * after a request. Each figure is the median of several starts.
 */
import { mkdtempSync, readFileSync, rmSync, statSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { freePort } from "../../test/free-port.ts"
import { record } from "../figures.ts"

const starts = 5
/** After this time, the work of the start has finished. */
const restMs = 1000
const gracePeriodMs = 60_000
const folder = mkdtempSync(join(tmpdir(), "trawl-bench-start-"))
const megabyte = 1024 ** 2

interface Started {
  firstMs: number
  processorMs: number
  restMb: number
  calledMb: number
}

function compiled(name: string, command: string[]): string {
  const path = join(folder, name)
  const { exitCode } = Bun.spawnSync([process.execPath, ...command, `--outfile=${path}`], {
    cwd: join(import.meta.dir, "../.."),
    stderr: "inherit",
  })
  if (exitCode !== 0) throw new Error(`${name} could not be compiled.`)
  return path
}

function processorMs(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(" ")
  return (Number(fields[13]) + Number(fields[14])) * 10
}

function memoryMb(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, "utf8")
  return Number(/VmRSS:\s+(\d+)/.exec(status)![1]) / 1024
}

async function start(executable: string): Promise<Started> {
  const port = freePort()
  const root = `http://127.0.0.1:${port}`
  const dataDir = mkdtempSync(join(folder, "data-"))
  const began = performance.now()
  const child = Bun.spawn([executable], {
    cwd: folder,
    env: { HOME: folder, TRAWL_PORT: String(port), TRAWL_DATA_DIR: dataDir },
    stdout: "ignore",
    stderr: "ignore",
  })
  try {
    while (child.exitCode === null) {
      if (performance.now() - began > gracePeriodMs)
        throw new Error(`${executable} does not respond.`)
      const response = await fetch(`${root}/healthz`).catch(() => undefined)
      if (response?.ok) break
      await Bun.sleep(1)
    }
    if (child.exitCode !== null)
      throw new Error(`${executable} exited with code ${child.exitCode}.`)
    const firstMs = performance.now() - began
    const used = processorMs(child.pid)
    await Bun.sleep(restMs)
    const restMb = memoryMb(child.pid)
    await fetch(`${root}/api/tools`).then((response) => response.arrayBuffer())
    await Bun.sleep(restMs)
    return { firstMs, processorMs: used, restMb, calledMb: memoryMb(child.pid) }
  } finally {
    child.kill()
    await child.exited
  }
}

function median(values: number[]): number {
  return values.sort((a, b) => a - b)[Math.floor(values.length / 2)]!
}

async function measured(executable: string): Promise<Started> {
  const all: Started[] = []
  // The first one reads the executable from the disk.
  await start(executable)
  for (let count = 0; count < starts; count++) all.push(await start(executable))
  const of = (name: keyof Started) => median(all.map((one) => one[name]))
  return {
    firstMs: of("firstMs"),
    processorMs: of("processorMs"),
    restMb: of("restMb"),
    calledMb: of("calledMb"),
  }
}

function show(name: string, unit: string, of: { trawl: number; plain: number }, wanted?: number) {
  record(name, of.trawl, unit)
  record(`${name}, bare`, of.plain, unit)
  const [trawl, plain] = [of.trawl, of.plain].map((value) => `${value.toFixed(0)} ${unit}`)
  const ratio = of.plain > 0 ? `  ${(of.trawl / of.plain).toFixed(2)} of bare` : ""
  const goal = wanted === undefined ? "" : ` (wanted ${wanted})`
  console.log(
    `${(name + goal).padEnd(44)} ${trawl!.padStart(8)}, bare ${plain!.padStart(8)}${ratio}`,
  )
}

try {
  const flags = ["--compile", "--minify", "--bytecode", "--format=esm"]
  const plainPath = compiled("bare", ["build", "bench/start/bare.ts", ...flags])
  const trawlPath = compiled("trawl", ["build.ts"])
  const size = (path: string) => statSync(path).size / megabyte
  const [trawl, plain] = [await measured(trawlPath), await measured(plainPath)]
  const both = (name: keyof Started) => ({ trawl: trawl[name], plain: plain[name] })
  show("the executable", "MB", { trawl: size(trawlPath), plain: size(plainPath) }, 125)
  show("from the start to the first response", "ms", both("firstMs"), 80)
  show("the processor until then", "ms", both("processorMs"))
  show("memory at rest", "MB", both("restMb"), 80)
  show("memory after a call", "MB", both("calledMb"))
} finally {
  rmSync(folder, { recursive: true, force: true })
}
