import type { FetchMethod } from "../../../catalogue/kit/index.ts"
import type { FollowedTarget } from "./checkpoints.ts"

/** What an attempt at a target leaves behind. */
export class AttemptState {
  readonly followed: FollowedTarget[] = []
  readonly followedKeys = new Set<string>()
  /** Kept with the target's items, so that a run which is repeated finds the memory as before. */
  readonly remembered = new Map<string, unknown>()
  /** Secrets that were wanted, and are not for this run. */
  readonly missed = new Set<string>()
  readonly tables = new Set<string>()
  /** Answers of the model. */
  modelAnswers = 0
  /** The strongest way that gave a page. */
  gave: FetchMethod | undefined
  /** The way that was tried last. */
  tried: FetchMethod | undefined
  /** Fetch methods that met a challenge, with its vendor. */
  readonly challenges = new Map<FetchMethod, string | null>()
}
