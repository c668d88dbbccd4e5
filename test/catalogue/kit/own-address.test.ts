import { expect, test } from "bun:test"
import { ownAddress, Unreachable } from "../../../src/catalogue/kit/index.ts"

const withSetting = (value: string | undefined) => ({ secret: () => value })

test("an instance of the operator's own is an address, and a slip there is no change of the site's", () => {
  for (const none of [undefined, ""]) {
    expect(ownAddress(withSetting(none), "GITLAB_URL")).toBeUndefined()
  }
  const { href } = ownAddress(withSetting("https://git.example/lab"), "GITLAB_URL")!
  expect(href).toBe("https://git.example/lab")
  for (const slip of ["git.example", "git.example:8080", "ssh://git.example"]) {
    const asked = () => ownAddress(withSetting(slip), "GITLAB_URL")
    expect(asked).toThrow(Unreachable)
    expect(asked).toThrow("GITLAB_URL of this service is no address")
  }
})
