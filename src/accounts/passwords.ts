import { Semaphore } from "../base/semaphore.ts"

/** A hash that no password has, so that an unknown address takes as long as a wrong password. */
const nobody =
  "$argon2id$v=19$m=65536,t=2,p=1$Y2hhZmYtYW5kLXdoZWF0LWFuZA$Zm9yLW5vYm9keS1hdC1hbGwtbm9ib2R5LWhlcmUh"

/** Hashes under way at once; each takes 64 MB and a core for a moment. */
const places = new Semaphore(2)

async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  const leave = await places.take()
  try {
    return await work()
  } finally {
    leave()
  }
}

export function hashPassword(password: string): Promise<string> {
  return inTurn(() => Bun.password.hash(password, "argon2id"))
}

/** Takes its time also for an account without a password, and for none. */
export async function passwordFits(password: string, hash: string | null): Promise<boolean> {
  const fits = await inTurn(() => Bun.password.verify(password, hash ?? nobody))
  return fits && hash !== null
}
