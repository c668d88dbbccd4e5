import { expect, test } from "bun:test"
import { diffHunks, diffText } from "../../../src/extract/core/index.ts"

const diff = (before: string, after: string) => diffText(diffHunks([...before], [...after]))

test("hunks are those of diff -u", () => {
  expect(diff("abcdefghijklmn", "abXcdefghijlmNno")).toBe(
    `@@ -1,5 +1,6 @@
 a
 b
+X
 c
 d
 e
@@ -8,7 +9,8 @@
 h
 i
 j
-k
 l
 m
+N
 n
+o`,
  )
  expect(diff("abc", "abc")).toBe("")
  expect(diff("", "a")).toBe("@@ -0,0 +1,1 @@\n+a")
  expect(diff("ab", "b")).toBe("@@ -1,2 +1,1 @@\n-a\n b")
})

test("a patch of any two texts turns one into the other", () => {
  const words = ["a", "b", "c"]
  let seed = 7
  const random = (most: number) => {
    seed = (seed * 1103515245 + 12345) % 2147483648
    return seed % most
  }
  const text = () => Array.from({ length: random(30) }, () => words[random(3)]!)
  for (let n = 0; n < 300; n++) {
    const [before, after] = [text(), text()]
    const made: string[] = []
    let x = 0
    for (const { oldStart, oldLines, changes } of diffHunks(before, after)) {
      const start = oldLines === 0 ? changes[0]!.after! - 1 - made.length + x : oldStart - 1
      while (x < start) made.push(before[x++]!)
      for (const { type, content } of changes) {
        if (type !== "add") expect(before[x++]).toBe(content.slice(1))
        if (type !== "del") made.push(content.slice(1))
      }
    }
    expect([...made, ...before.slice(x)]).toEqual(after)
  }
})
