import { Semaphore } from "../base/semaphore.ts"

/** Cost of an argon2id hash: memory in KB, and passes. */
interface HashCost {
  memoryCost: number
  timeCost: number
}

const hashCost: HashCost = { memoryCost: 65_536, timeCost: 2 }

/** Maximum concurrent hashes; each uses 64 MB and one core. */
const hashesAtOnce = 2

export class Passwords {
  private readonly slots = new Semaphore(hashesAtOnce)
  /**
   * A hash that matches no password, so that an unknown email address takes as long as a wrong
   * password.
   */
  private readonly nobody: string

  constructor(private readonly cost = hashCost) {
    this.nobody = `$argon2id$v=19$m=${cost.memoryCost},t=${cost.timeCost},p=1$Y2hhZmYtYW5kLXdoZWF0LWFuZA$Zm9yLW5vYm9keS1hdC1hbGwtbm9ib2R5LWhlcmUh`
  }

  hash(password: string): Promise<string> {
    return this.serialized(() =>
      Bun.password.hash(password, { algorithm: "argon2id", ...this.cost }),
    )
  }

  /** Takes the same time for an account without a password, and without an account. */
  async fits(password: string, hash: string | null): Promise<boolean> {
    const fits = await this.serialized(() => Bun.password.verify(password, hash ?? this.nobody))
    return fits && hash !== null
  }

  private async serialized<T>(work: () => Promise<T>): Promise<T> {
    const leave = await this.slots.take()
    try {
      return await work()
    } finally {
      leave()
    }
  }
}
