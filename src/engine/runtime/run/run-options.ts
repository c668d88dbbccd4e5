import type { AnyScraper } from "../../../catalogue/kit/index.ts"
import type { FetcherOptions } from "../../fetch/fetcher.ts"
import type { RunCookies } from "../../net/cookies/run-cookies.ts"
import type { RunSession } from "../../net/sessions/run-session.ts"
import type { Counter } from "../../ops/health/counters.ts"
import type { RunSpans } from "../traces/run-spans.ts"
import type { CheckpointStore } from "./checkpoints.ts"
import type { TargetTurns } from "./in-time-slices.ts"
import type { ItemCap } from "./item-cap.ts"
import type { Share, SliceLimits } from "./time-slices.ts"

/** A run to execute. `signal` is aborted with a ScrapeError: Aborted, or Timeout (the run's deadline). */
export interface RunOptions extends Pick<FetcherOptions, "environment" | "signal" | "exit"> {
  scraper: AnyScraper
  /** Validated input with defaults. */
  input: Record<string, unknown>
  checkpoint: CheckpointStore
  /**
   * Aborted when the service is shutting down: no further target starts, and running ones may
   * finish.
   */
  halt?: AbortSignal
  /** Maximum items, in addition to the scraper's limit. */
  maxItems?: number
  maxPages?: number
  /** Limits of processor time. */
  sliceLimits?: SliceLimits
  /** The session used to fetch pages. */
  session?: RunSession | undefined
  /** Collects the spans of targets. */
  spans?: RunSpans | undefined
  /** Whether a target fails if an item does not match the scraper's schema (tests). */
  checkItems?: boolean
}

/** A run, and the state that its targets share. */
export interface RunParts
  extends Pick<
    RunOptions,
    "scraper" | "input" | "checkpoint" | "environment" | "signal" | "exit" | "spans"
  > {
  cookies: RunCookies
  shared: Map<string, unknown>
  share: Share
  cap: ItemCap
  /** Validates an item. @throws Changed if it does not match the schema */
  checkItem?: ((item: Record<string, unknown>) => void) | undefined
  /** Counts the results of the targets. */
  counter?: Counter | undefined
  onError(error: { code: string; message: string }): void
}

/** The parts of a run that one of its targets needs. */
export interface TargetParts
  extends Pick<RunParts, "environment" | "checkpoint" | "cookies" | "exit" | "signal" | "shared"> {
  scraper: Pick<AnyScraper, "slug" | "fetchMethods" | "rateLimit">
  input: unknown
  /** Position of the target in the run. */
  seq: number
  /** Pages are parsed only in the run's time slices. */
  turns?: Pick<TargetTurns, "resume" | "ended"> | undefined
}
