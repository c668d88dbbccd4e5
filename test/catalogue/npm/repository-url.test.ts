import { expect, test } from "bun:test"
import { repositoryUrl } from "../../../src/catalogue/npm/repository-url.ts"

test.each([
  ["git+https://github.com/acme/tides.git", "https://github.com/acme/tides"],
  ["git://github.com/acme/tides.git", "https://github.com/acme/tides"],
  ["git+ssh://git@github.com/acme/tides.git", "https://github.com/acme/tides"],
  ["ssh://git@gitlab.com/acme/tides", "https://gitlab.com/acme/tides"],
  ["git@github.com:acme/tides.git", "https://github.com/acme/tides"],
  ["https://github.com/acme/tides#readme", "https://github.com/acme/tides"],
  ["https://github.com/acme/tides/tree/main/js", "https://github.com/acme/tides/tree/main/js"],
  ["acme/tides", "https://github.com/acme/tides"],
  ["gitlab:acme/tides", "https://gitlab.com/acme/tides"],
  ["bitbucket:acme/tides", "https://bitbucket.org/acme/tides"],
  ["gist:0123abcd", "https://gist.github.com/0123abcd"],
  ["http://svn.acme.test/tides", "http://svn.acme.test/tides"],
])("%s", (written, address) => {
  expect(repositoryUrl(written)).toBe(address)
})

test("an empty value stays empty", () => {
  expect(repositoryUrl(null)).toBeNull()
})
