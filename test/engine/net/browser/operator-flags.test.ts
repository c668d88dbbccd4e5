import { expect, test } from "bun:test"
import { withOperatorFlags } from "../../../../src/engine/net/browser/chrome/operator-flags.ts"

test("the operator's disabled features are added to Trawl's", () => {
  const own = ["--lang=en-US", "--disable-features=A,B", "--mute-audio"]
  expect(withOperatorFlags(own, ["--disable-features=C", "--lang=de"])).toEqual([
    "--lang=en-US",
    "--mute-audio",
    "--lang=de",
    "--disable-features=A,B,C",
  ])
})
