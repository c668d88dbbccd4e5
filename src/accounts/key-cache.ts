import { BoundedMap } from "../base/bounded-map.ts"
import { type KeyOwner, keyByHash } from "../store/accounts/keys.ts"
import type { Store } from "../store/store.ts"
import { keyPrefix } from "./keys.ts"
import { sameHash, sha256 } from "./secrets.ts"

/** Milliseconds for which a key that another process revoked may still work. */
const trustedFor = 2_000
const usedEvery = 60_000
const remembered = 10_000

/** Returns the owner of an API key. */
export class KeyCache {
  private readonly known = new BoundedMap<string, { owner: KeyOwner; until: number }>(remembered)
  private readonly used = new BoundedMap<string, number>(remembered)

  constructor(private readonly store: Store) {}

  /** Returns undefined if the key is not valid. */
  async owner(key: string): Promise<KeyOwner | undefined> {
    if (!key.startsWith(keyPrefix)) return undefined
    const hash = sha256(key)
    const now = Date.now()
    const known = this.trusted(hash, now)
    if (known) return known
    const owner = await keyByHash(this.store.db, hash)
    if (!owner || !sameHash(owner.hash, hash)) return undefined
    this.known.set(hash, { owner, until: now + trustedFor })
    this.noteUse(owner.keyId, now)
    return owner
  }

  /** Returns the owner of a recently read key, without asking the store. */
  fresh(key: string): KeyOwner | undefined {
    return key.startsWith(keyPrefix) ? this.trusted(sha256(key), Date.now()) : undefined
  }

  private trusted(hash: string, now: number): KeyOwner | undefined {
    const known = this.known.get(hash)
    return known && known.until > now ? known.owner : undefined
  }

  private noteUse(id: string, now: number): void {
    if (now - (this.used.get(id) ?? 0) < usedEvery) return
    this.used.set(id, now)
    // Only informative: a call must not fail because of it.
    this.store.write("keys.used", { id, at: new Date(now).toISOString() }).catch(() => {})
  }

  /** Called when a key was revoked. */
  forget(): void {
    this.known.clear()
  }
}
