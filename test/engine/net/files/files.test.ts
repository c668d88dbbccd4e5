import { afterAll, afterEach, beforeEach, describe, expect, test } from "bun:test"
import { existsSync, readdirSync, statSync } from "node:fs"
import { join } from "node:path"
import { loadConfig } from "../../../../src/config/config.ts"
import { type FileSettings, Files } from "../../../../src/engine/net/files/files.ts"
import { FileStorages } from "../../../../src/engine/net/files/storages.ts"
import { tidyFiles } from "../../../../src/engine/net/files/tidy.ts"
import { checkSettings } from "../../../../src/engine/ops/settings/checks.ts"
import { fileById, filesOfRun } from "../../../../src/store/files/files.ts"
import type { RunRow } from "../../../../src/store/tables/schema.ts"
import { at, freshStore, type OpenStore, runningRun } from "../../../store/harness.ts"
import { startS3 } from "../../ops/backups/s3-server.ts"

const s3 = startS3()
let open: OpenStore
beforeEach(() => {
  open = freshStore()
  s3.objects.clear()
})
afterEach(() => open.close())
afterAll(() => s3.stop())

const places: Record<string, Partial<FileSettings>> = {
  "the data folder": {},
  "a storage that speaks S3": { s3Bucket: "saved/of/trawl", env: s3.env },
}
const megabyte = 1_000_000
const image = (bytes: number, name = "screenshot.png", fill = 1) => ({
  name,
  contentType: "image/png",
  bytes: new Uint8Array(bytes).fill(fill),
})
const later = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString()

let runs = 0
async function begin(accountId: string | null = null) {
  const run = await runningRun(open.store, `run_${++runs}`, ["a", "b"], { accountId })
  const owner = (seq: number) => ({ runN: run.n, attempt: run.attempt, accountId, seq })
  return { run, owner }
}

describe.each(Object.entries(places))("files in %s", (_, where) => {
  const settings = (more: Partial<FileSettings> = {}): FileSettings => ({
    ...loadConfig({}),
    dataDir: open.dataDir,
    ...where,
    ...more,
  })
  const rowsOf = async ({ n }: RunRow) =>
    (await filesOfRun(open.store.db, n, { limit: 100, offset: 0, now: later(0) })).rows
  const read = async (id: string, range?: { from: number; to: number }) => {
    const file = (await fileById(open.store.db, id, at))!
    const contents = await new FileStorages(settings()).open(file, range)
    return contents && new Response(contents).bytes()
  }
  const storedIds = () =>
    where.s3Bucket
      ? [...s3.objects.keys()].map((key) => key.replace("of/trawl/", ""))
      : (readdirSync(join(open.dataDir, "files"), { recursive: true }) as string[])
          .filter((name) => statSync(join(open.dataDir, "files", name)).isFile())
          .map((name) => name.slice(3))
  test("are read as stored, whole and in part, and stay when their target runs again", async () => {
    const { run, owner } = await begin("acc_1")
    const files = new Files(settings({ baseUrl: "https://trawl.test/base/" }))
    const stored = await files.put(open.store, owner(0), image(5000))
    expect(stored).toEqual({
      url: expect.stringMatching(
        /^https:\/\/trawl\.test\/base\/api\/v1\/files\/file_[0-9a-f]{32}$/,
      ),
      contentType: "image/png",
      bytes: 5000,
      sha256: new Bun.CryptoHasher("sha256").update(image(5000).bytes).digest("hex"),
    })
    const [row] = await rowsOf(run)
    expect(row).toMatchObject({ account_id: "acc_1", seq: 0, bytes: 5000, expires_at: null })
    expect(await read(row!.id)).toEqual(image(5000).bytes)
    expect(await read(row!.id, { from: 10, to: 14 })).toEqual(new Uint8Array([1, 1, 1, 1]))
    const again = await files.put(open.store, owner(0), image(60, "screenshot.png", 2))
    expect(again.url).toBe(stored.url)
    expect(await read(row!.id)).toEqual(image(60, "", 2).bytes)
    expect(storedIds()).toEqual([row!.id])
  })

  test("have limits: per file, per run, per account", async () => {
    const small = new Files(
      settings({ fileMegabytes: 1, runFileMegabytes: 2, accountFileMegabytes: 3 }),
    )
    const first = await begin("acc_2")
    const put = (owner: ReturnType<typeof first.owner>, file = image(megabyte)) =>
      small.put(open.store, owner, file).then(
        () => "kept",
        ({ code, message }) => `${code}: ${message}`,
      )
    expect(await put(first.owner(0), image(megabyte + 1))).toBe(
      "too_large: screenshot.png has 1000001 bytes; the maximum of a file is 1 MB here.",
    )
    expect(await put(first.owner(0))).toBe("kept")
    expect(await put(first.owner(1))).toBe("kept")
    // It may replace itself although the limit is reached.
    expect(await put(first.owner(1))).toBe("kept")
    expect(await put(first.owner(1), image(1, "page.pdf"))).toStartWith(
      "storage_quota_exceeded: The files of a run may have 2 MB",
    )
    const second = await begin("acc_2")
    expect(await put(second.owner(0))).toBe("kept")
    expect(await put(second.owner(1), image(1))).toStartWith(
      "storage_quota_exceeded: The files of the account may have 3 MB",
    )
    const other = await begin("acc_3")
    expect(await put(other.owner(0))).toBe("kept")
    const [row] = await rowsOf(first.run)
    await open.store.write("files.remove", { id: row!.id, at })
    expect(await put(second.owner(1))).toBe("kept")
    expect(storedIds().length).toBe(5)
  })

  test("are deleted by time, with their run, or on request; then their content is removed", async () => {
    const keyless = await begin(null)
    const account = await begin("acc_4")
    const timed = await begin("acc_4")
    const files = new Files(settings())
    await files.put(open.store, keyless.owner(0), image(1))
    await files.put(open.store, account.owner(0), image(2))
    await files.put(open.store, account.owner(1), image(3))
    await new Files(settings({ fileDays: 3 })).put(open.store, timed.owner(0), image(4))
    const tidy = (days: number) => tidyFiles(open.store, new FileStorages(settings()), later(days))
    await tidy(0.99)
    expect(storedIds().length).toBe(4)
    await tidy(1.01)
    expect(storedIds().length).toBe(3)
    expect(await rowsOf(keyless.run)).toEqual([])
    await tidy(3.01)
    expect(storedIds().length).toBe(2)
    const [first, second] = await rowsOf(account.run)
    await open.store.write("files.remove", { id: first!.id, at })
    expect((await rowsOf(account.run)).map(({ id }) => id)).toEqual([second!.id])
    await tidy(0)
    expect(storedIds()).toEqual([second!.id])
    const end = { status: "succeeded" as const, error: null, capped: null, at }
    await open.store.write("runs.finish", { id: account.run.id, attempt: 1, ...end })
    await open.store.write("runs.delete", { id: account.run.id, accountId: "acc_4", at })
    expect(await fileById(open.store.db, second!.id, at)).toBeUndefined()
    while (await open.store.write("store.purge", { now: at, runDays: 0, logDays: 0 }));
    await tidy(0)
    expect(storedIds()).toEqual([])
  })

  test("of a run that another worker has now are refused", async () => {
    const { run, owner } = await begin()
    const put = new Files(settings()).put(open.store, { ...owner(0), attempt: 0 }, image(1))
    expect(await put.catch((error) => error.name)).toBe("AttemptGivenUp")
    expect(await rowsOf(run)).toEqual([])
  })
})

test("a file that cannot be stored is reported, and no link exists", async () => {
  const { run, owner } = await begin()
  const settings = { ...loadConfig({}), dataDir: open.dataDir, s3Bucket: "nowhere", env: s3.env }
  const put = new Files(settings).put(open.store, owner(0), image(1), {
    signal: new AbortController().signal,
  })
  const error = await put.catch((thrown) => thrown)
  expect(error.code).toBe("file_not_kept")
  expect(error.message).toContain("NoSuchBucket")
  const { total } = await filesOfRun(open.store.db, run.n, { limit: 1, offset: 0, now: at })
  expect(total).toBe(0)
})

describe("a file whose storage is unavailable", () => {
  const put = async (env: Record<string, string | undefined>, signal?: AbortSignal) => {
    const { owner } = await begin()
    const settings = { ...loadConfig({}), dataDir: open.dataDir, s3Bucket: "saved", env }
    const waits: string[] = []
    const onWait = (message: string) => waits.push(message)
    const stored = new Files(settings).put(open.store, owner(0), image(1), {
      onWait,
      ...(signal && { signal }),
    })
    return { stored, waits }
  }
  const away = () => {
    const gone = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: () => new Response() })
    const { port } = gone
    return gone
      .stop(true)
      .then(() => ({ port, env: { ...s3.env, AWS_ENDPOINT_URL: `http://127.0.0.1:${port}` } }))
  }

  test("waits, and is stored once the storage is back", async () => {
    const { port, env } = await away()
    const { stored, waits } = await put(env, new AbortController().signal)
    while (waits.length === 0) await Bun.sleep(10)
    expect(waits[0]).toContain("is waiting for its storage")
    const back = Bun.serve({
      port: port!,
      hostname: "127.0.0.1",
      fetch: (request) => {
        const { pathname } = new URL(request.url)
        return fetch(new Request(`${s3.env.AWS_ENDPOINT_URL}${pathname}`, request))
      },
    })
    try {
      expect((await stored).bytes).toBe(image(1).bytes.length)
      expect(waits).toHaveLength(1)
    } finally {
      await back.stop(true)
    }
  })

  test("fails when its run ends", async () => {
    const { env } = await away()
    const end = new AbortController()
    const { stored, waits } = await put(env, end.signal)
    while (waits.length === 0) await Bun.sleep(10)
    end.abort()
    expect(await stored.catch(({ code }) => code)).toBe("file_not_kept")
  })
})

test("no one else can read the folder, and no partial file is left in it", async () => {
  const { run, owner } = await begin()
  await new Files({ ...loadConfig({}), dataDir: open.dataDir }).put(open.store, owner(0), image(9))
  const { rows } = await filesOfRun(open.store.db, run.n, { limit: 1, offset: 0, now: at })
  const folder = join(open.dataDir, "files", rows[0]!.id.slice(-2))
  expect(statSync(folder).mode & 0o777).toBe(0o700)
  expect(statSync(join(folder, rows[0]!.id)).mode & 0o777).toBe(0o600)
  expect(existsSync(join(folder, `${rows[0]!.id}.part`))).toBe(false)
})

test.each([
  [{ TRAWL_S3_BUCKET: "s3://bucket" }, "TRAWL_S3_BUCKET must be bucket or bucket/path"],
  [{ TRAWL_S3_BUCKET: "bucket" }, "TRAWL_S3_SECRET_ACCESS_KEY"],
])("a wrong setting is reported at the start: %p", (env, reported) => {
  expect(() => checkSettings(loadConfig(env))).toThrow(reported)
})
