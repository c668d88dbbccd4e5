import type { Access } from "../../catalogue/kit/index.ts"
import type { FollowedTarget } from "./journal.ts"

/** What an attempt at a target leaves behind. */
export class Left {
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
  gave: Access | undefined
  /** The way that was tried last. */
  tried: Access | undefined
  /** Ways by which a wall turned it away, with the wall's vendor. */
  readonly walls = new Map<Access, string | null>()
}
