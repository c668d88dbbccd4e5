import { expect, test } from "bun:test"
import { Passwords } from "../../src/accounts/passwords.ts"

test("passwords are hashed with argon2id at a cost that slows guessing", async () => {
  const passwords = new Passwords()
  const hash = await passwords.hash("long enough")
  expect(hash).toStartWith("$argon2id$v=19$m=65536,t=2,p=1$")
  expect(await passwords.fits("long enough", hash)).toBe(true)
})

test("an account without a password and an unknown email address take as long as a wrong password", async () => {
  const passwords = new Passwords({ memoryCost: 8192, timeCost: 1 })
  const hash = await passwords.hash("long enough")
  const costOf = async (stored: string | null) => {
    const before = process.cpuUsage()
    for (let turn = 0; turn < 5; turn++) {
      expect(await passwords.fits("wrong horse", stored)).toBe(false)
    }
    const { user, system } = process.cpuUsage(before)
    return user + system
  }
  await costOf(hash)
  expect(await costOf(null)).toBeGreaterThan((await costOf(hash)) / 3)
})
