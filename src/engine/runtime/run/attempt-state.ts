import type { Changed, FetchMethod } from "../../../catalogue/kit/index.ts"
import type { FollowedTarget } from "./checkpoints.ts"

/** The state of an attempt at a target. */
export class AttemptState {
  readonly followed: FollowedTarget[] = []
  readonly followedKeys = new Set<string>()
  /** Stored with the target's items, so that a repeated run finds the memory unchanged. */
  readonly remembered = new Map<string, unknown>()
  /** Requested secrets that are not available to this run. */
  readonly missed = new Set<string>()
  readonly tables = new Set<string>()
  /** Responses of the model. */
  modelAnswers = 0
  /** The most capable fetch method that returned a page. */
  gave: FetchMethod | undefined
  /** The last fetch method that was tried. */
  tried: FetchMethod | undefined
  /** Fetch methods that met a challenge, with its vendor. */
  readonly challenges = new Map<FetchMethod, string | null>()
  /** A source that another one replaced, because its layout has changed. */
  changed: Changed | undefined
}
