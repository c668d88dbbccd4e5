import { createHash } from "node:crypto"
import { closeSync, mkdirSync, openSync, rmSync, writeSync } from "node:fs"
import { dirname } from "node:path"

/** Milliseconds without data after which a download is aborted. */
const silenceMs = 30_000
const reportEach = 0.25

/**
 * Downloads a file and verifies the checksum that its host provides: MD5 in `x-goog-hash` (Google
 * Cloud Storage), or SHA-256 in a file with the suffix .sha256.
 */
export async function download(
  url: string,
  path: string,
  report: (message: string) => void,
): Promise<void> {
  const silence = new AbortController()
  const late = () => silence.abort(new Error(`no response for ${silenceMs / 1000} s`))
  let timer = setTimeout(late, silenceMs)
  const response = await fetch(url, { signal: silence.signal }).finally(() => clearTimeout(timer))
  if (!response.ok || !response.body)
    throw new Error(`${new URL(url).host} answers ${response.status}`)
  const wanted = await checksumOf(url, response)
  const hash = createHash(wanted.algorithm)
  const size = Number(response.headers.get("content-length") ?? 0)
  mkdirSync(dirname(path), { recursive: true })
  const file = openSync(path, "w", 0o600)
  try {
    let read = 0
    let progress = 0
    timer = setTimeout(late, silenceMs)
    for await (const chunk of response.body) {
      timer.refresh()
      writeSync(file, chunk)
      hash.update(chunk)
      read += chunk.length
      if (size === 0 || read / size < progress + reportEach) continue
      progress = Math.floor(read / size / reportEach) * reportEach
      report(`Chrome: ${Math.round(progress * 100)} % of ${Math.round(size / 1e6)} MB.`)
    }
    if (size > 0 && read !== size) throw new Error(`it ended after ${read} of ${size} bytes`)
    const digest = hash.digest("hex")
    if (digest !== wanted.hex) {
      throw new Error(`its ${wanted.algorithm} is ${digest}, not ${wanted.hex}: the file differs`)
    }
  } catch (error) {
    rmSync(path, { force: true })
    throw error
  } finally {
    clearTimeout(timer)
    closeSync(file)
  }
}

async function checksumOf(url: string, response: Response) {
  const [, md5] = /\bmd5=([\w+/]{22}==)/.exec(response.headers.get("x-goog-hash") ?? "") ?? []
  if (md5) return { algorithm: "md5", hex: Buffer.from(md5, "base64").toString("hex") }
  const checksumFile = await fetch(`${url}.sha256`, { signal: AbortSignal.timeout(silenceMs) })
  const [sha256] =
    /[\da-f]{64}/i.exec(checksumFile.ok ? (await checksumFile.text()).slice(0, 1000) : "") ?? []
  if (sha256) return { algorithm: "sha256", hex: sha256.toLowerCase() }
  throw new Error(
    `${new URL(url).host} provides no checksum for the download: add a .sha256 file next to it`,
  )
}
