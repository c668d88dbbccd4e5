import { basename } from "node:path"
import { NotFound, ScrapeError, Timeout, upstreamSetting } from "../../../catalogue/kit/index.ts"
import { Robots } from "../../net/http/robots.ts"
import type { Environment } from "../environment.ts"
import { FetchMethodMemory } from "../method-memory.ts"
import type { Expectation } from "./case.ts"
import { Recorder } from "./recorder.ts"
import { RecordingBrowser } from "./recording-browser.ts"
import { RecordingTransport } from "./recording-transport.ts"

export interface Recording {
  /** The live environment with recording. */
  environment: Environment
  /** Completes the folder with the expectations of a replay. */
  save(expect?: readonly Expectation[]): Promise<void>
}

export interface RecordedCall {
  slug: string
  input: Record<string, unknown>
  /** Name of the case. Default: the folder's name. */
  name?: string
}

/** Trawl's own settings, which are not site credentials. */
const ownSetting = /^TRAWL_/

/**
 * Records a run of `slug` in a live environment into a folder in the corpus format, for `--replay`.
 * The operator's keys are replaced by their names everywhere.
 */
export function recordEnvironment(
  live: Environment,
  folder: string,
  { name = basename(folder), ...about }: RecordedCall,
): Recording {
  const recorder = new Recorder(folder)
  const clock = new Date(live.clock.now()).toISOString()
  const env: Record<string, string> = {}
  const http = new RecordingTransport(live.http, recorder, "http")
  const lookUp = async (address: string, request: () => Promise<unknown>) => {
    const exchange = recorder.begin("GET", address, "http")
    const headers = new Headers({ "content-type": "application/json" })
    const keep = (body: unknown) =>
      recorder.fill(exchange, {
        status: 200,
        headers,
        bytes: new TextEncoder().encode(JSON.stringify(body, null, 1)),
      })
    try {
      const resolved = await request()
      await keep(resolved)
      return resolved
    } catch (error) {
      if (error instanceof ScrapeError) await keep({ error: failedLookUp(error) })
      throw error
    }
  }
  const environment: Environment = {
    ...live,
    http,
    ...(live.unlocker
      ? { unlocker: new RecordingTransport(live.unlocker, recorder, "unlocker") }
      : {}),
    ...(live.browser ? { browser: new RecordingBrowser(live.browser, recorder) } : {}),
    // A replay starts without knowledge about hosts, so the recording does too.
    methods: new FetchMethodMemory(live.clock.now),
    robots: new Robots(http, live.clock, live.env.TRAWL_CONTACT),
    dns: (name, type, signal) => lookUp(`dns:${name}/${type}`, () => live.dns(name, type, signal)),
    tls: (host, port, servername, signal) =>
      lookUp(`tls:${host}:${port}`, () => live.tls(host, port, servername, signal)) as ReturnType<
        Environment["tls"]
      >,
    upstreams: {
      isNews: () => false,
      values(table) {
        const values = live.upstreams?.values(table) ?? table.values
        if (values !== table.values) env[upstreamSetting(table.site)] = JSON.stringify(values)
        return values
      },
    },
    env: new Proxy(live.env, {
      get(settings, name: string) {
        const value = settings[name]
        if (!value || ownSetting.test(name)) return value
        env[name] = `recorded-${name}`
        recorder.hide(value, env[name])
        return value
      },
    }),
    // Identical requests must be in the same order in replay.
    sequential: true,
  }
  return {
    environment,
    save: (expect = []) => recorder.save({ ...about, case: name, clock, env }, expect),
  }
}

/** Node's error code, which replay converts into the same error. */
function failedLookUp(scrapeError: ScrapeError): { code: string; message: string } {
  const errorCode = /\b(E[A-Z_]{4,}|ERR_[A-Z_]+)\b/.exec(scrapeError.message)?.[1]
  const code =
    scrapeError instanceof NotFound
      ? "ENOTFOUND"
      : scrapeError instanceof Timeout
        ? "ETIMEDOUT"
        : ""
  return { code: code || errorCode || scrapeError.code.toUpperCase(), message: scrapeError.message }
}
