import { RunCookies } from "../src/engine/cookies/run-cookies.ts"
import type { Environment } from "../src/engine/environment/environment.ts"
import { TargetContext } from "../src/engine/run/context.ts"
import type { LogLine } from "../src/engine/run/journal.ts"
import { MemoryJournal } from "../src/engine/run/memory-journal.ts"

/** What a target of a scraper by plain http is given in a world. */
export function contextIn(environment: Environment, onLog?: (line: LogLine) => void) {
  const parts = {
    scraper: { slug: "test-scraper" },
    environment,
    journal: new MemoryJournal([], onLog),
    cookies: new RunCookies({ now: Date.now }),
    input: {},
    seq: 0,
    signal: new AbortController().signal,
    shared: new Map(),
  }
  return new TargetContext(parts, ["http"])
}
