import type { Environment } from "../src/engine/fetch/environment.ts"
import { RunCookies } from "../src/engine/net/cookies/run-cookies.ts"
import type { LogLine } from "../src/engine/runtime/run/checkpoints.ts"
import { TargetContext } from "../src/engine/runtime/run/context.ts"
import { MemoryCheckpoints } from "../src/engine/runtime/run/memory-checkpoints.ts"

/** Returns the context of a target whose scraper uses plain HTTP. */
export function contextIn(environment: Environment, onLog?: (line: LogLine) => void) {
  const parts = {
    scraper: { slug: "test-scraper" },
    environment,
    checkpoint: new MemoryCheckpoints([], onLog),
    cookies: new RunCookies({ now: Date.now }),
    input: {},
    seq: 0,
    signal: new AbortController().signal,
    shared: new Map(),
  }
  return new TargetContext(parts, ["http"])
}
