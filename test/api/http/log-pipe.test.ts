import { expect, test } from "bun:test"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { LogPipe, type WriteSome } from "../../../src/api/log/log-pipe.ts"
import { trawlCommand } from "../../trawl.ts"

/** A reader that accepts the given number of bytes when the test says so, and nothing otherwise. */
class Reader {
  text = ""
  private waiting: { bytes: Uint8Array; done: Parameters<WriteSome>[1] } | undefined
  readonly write: WriteSome = (bytes, done) => {
    if (this.waiting) throw new Error("two writes at once")
    this.waiting = { bytes, done }
  }

  take(most: number): boolean {
    const { waiting } = this
    if (!waiting) return false
    this.waiting = undefined
    const taken = waiting.bytes.subarray(0, most)
    this.text += Buffer.from(taken).toString()
    waiting.done(null, taken.length)
    return true
  }

  fail(code: string): void {
    const { waiting } = this
    this.waiting = undefined
    waiting?.done(Object.assign(new Error(code), { code }), 0)
  }
}

const line = (n: number) => `${JSON.stringify({ n, text: "x".repeat(80) })}\n`

test("a stalled reader delays nothing; it gets what it missed when it continues", async () => {
  const reader = new Reader()
  const pipe = new LogPipe({ writeSome: reader.write, max: 10_000 })
  for (let n = 0; n < 1000; n++) pipe.write(line(n), 1)
  while (reader.take(700));
  const lines = reader.text
    .trimEnd()
    .split("\n")
    .map((one) => JSON.parse(one))
  const reported = lines.filter((one) => one.dropped)
  const stored = lines.filter((one) => one.n !== undefined).map((one) => one.n)
  expect(stored).toEqual([...stored.keys()])
  expect(stored.length).toBeGreaterThan(50)
  expect(stored.length).toBeLessThan(150)
  expect(reported).toHaveLength(1)
  expect(reported[0]).toMatchObject({ level: "warn", dropped: 1000 - stored.length })
  pipe.write(line(1000), 1)
  while (reader.take(10));
  expect(reader.text).toEndWith(line(1000))
})

test("a full pipe is retried, and one without a reader is left", async () => {
  const reader = new Reader()
  const pipe = new LogPipe({ writeSome: reader.write })
  pipe.write(line(1), 1)
  reader.fail("EAGAIN")
  const flushed = pipe.flushed(60_000)
  while (!reader.take(1e6)) await Bun.sleep(5)
  await flushed
  expect(reader.text).toBe(line(1))
  pipe.write(line(2), 1)
  reader.fail("EPIPE")
  pipe.write(line(3), 1)
  expect(reader.take(1e6)).toBe(false)
  await pipe.flushed(60_000)
})

test("the service answers and stops even if its log is not read", async () => {
  const folder = mkdtempSync(join(tmpdir(), "trawl-log-"))
  // The first line contains the port; after that, the pipe is open and not read.
  const script = `mkfifo log; "$@" 2> log & pid=$!; exec 3< log; read -r line <&3; echo "$pid $line"
    trap 'kill $pid' TERM; wait $pid; wait $pid; echo "ended $?"`
  const child = Bun.spawn(["bash", "-c", script, "sh", ...trawlCommand, "serve"], {
    cwd: folder,
    env: {
      PATH: process.env.PATH ?? "",
      HOME: folder,
      TRAWL_DATA_DIR: join(folder, "data"),
      TRAWL_PORT: "0",
      TRAWL_RATE_LIMIT: "0",
    },
    stdout: "pipe",
    stderr: "inherit",
  })
  const reader = child.stdout.pipeThrough(new TextDecoderStream()).getReader()
  const [, pid, first] = /^(\d+) (.*)/.exec((await reader.read()).value!)!
  try {
    const { url } = JSON.parse(first!)
    const query = "x".repeat(2000)
    for (let call = 0; call < 800; call++) {
      const signal = AbortSignal.timeout(20_000)
      expect((await fetch(`${url}/api/v1/me?${query}`, { signal })).status).toBe(401)
    }
    child.kill("SIGTERM")
    expect((await reader.read()).value).toBe("ended 0\n")
  } finally {
    Bun.spawnSync(["kill", "-9", pid!], { stderr: "ignore" })
    await child.exited
    rmSync(folder, { recursive: true })
  }
}, 120_000)
