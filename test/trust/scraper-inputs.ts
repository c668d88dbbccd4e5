import { replayClock } from "../../src/base/clock.ts"
import { type AnyScraper, checkInput } from "../../src/catalogue/kit/index.ts"
import type { Environment } from "../../src/engine/fetch/environment.ts"
import type { EgressFilter } from "../../src/engine/net/egress/filter.ts"
import { LiveTransport } from "../../src/engine/net/http/live.ts"
import { Robots } from "../../src/engine/net/http/robots.ts"
import { inspectTls } from "../../src/engine/net/network/tls.ts"
import { measure } from "../hostile/read-hostile.ts"

export interface TextField {
  scraper: AnyScraper
  name: string
  isList: boolean
}

interface Property {
  type?: string
  items?: Property
  const?: unknown
  enum?: unknown
  anyOf?: Property[]
}

const isFree = (schema: Property | undefined) =>
  schema?.type === "string" && schema.const === undefined && schema.enum === undefined

/** Each input of each scraper that accepts free text. */
export function textFields(catalogue: readonly AnyScraper[]): TextField[] {
  return catalogue.flatMap((scraper) =>
    Object.entries(scraper.input.properties as Record<string, Property>)
      .filter(([, schema]) => isFree(schema) || isFree(schema.items))
      .map(([name, schema]) => ({ scraper, name, isList: schema.type === "array" })),
  )
}

/**
 * The production environment except for clock and resolver: it never sleeps, and names resolve as
 * the egress filter is configured.
 */
function environmentOf(egress: EgressFilter): Environment {
  const clock = replayClock(Date.now())
  const http = new LiveTransport(egress)
  return {
    clock,
    http,
    robots: new Robots(http, clock),
    dns: () => Promise.reject(new Error("no DNS in tests")),
    tls: (host, port, name, signal) => inspectTls(egress, host, port, name, signal),
    env: {},
    sequential: true,
  }
}

/**
 * Runs a scraper's example with one text in one field. Returns false if the text is rejected as
 * input.
 */
export async function tryField(
  { scraper, name, isList }: TextField,
  text: string,
  egressFilter: EgressFilter,
): Promise<boolean> {
  const checked = checkInput(scraper.input, { ...scraper.example, [name]: isList ? [text] : text })
  if (!checked.ok) return false
  try {
    await measure(scraper, checked.input, environmentOf(egressFilter))
  } catch {
    // Some scrapers reject a text only when they create their targets.
    return false
  }
  return true
}
