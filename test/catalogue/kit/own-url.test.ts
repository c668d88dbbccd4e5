import { expect, test } from "bun:test"
import { ownUrl, Unreachable } from "../../../src/catalogue/kit/index.ts"

test("the URL of an operator's own instance is checked, and a mistake is not reported as a change of the site", () => {
  for (const none of [undefined, ""]) expect(ownUrl("GITLAB_URL", none)).toBeUndefined()
  expect(ownUrl("GITLAB_URL", "https://git.example/lab")!.href).toBe("https://git.example/lab")
  for (const slip of ["git.example", "git.example:8080", "ssh://git.example"]) {
    const requested = () => ownUrl("GITLAB_URL", slip)
    expect(requested).toThrow(Unreachable)
    expect(requested).toThrow("GITLAB_URL of this service is not a URL")
  }
})
