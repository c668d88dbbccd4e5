import { expect, test } from "bun:test"
import { errorItem, Forbidden, NotFound } from "../../../src/catalogue/kit/index.ts"

const messageOf = (message: string, fields: object = {}, url?: string) =>
  errorItem(new NotFound(message, url === undefined ? {} : { url }), { ...fields }).error.message

test.each([
  ["No such user on X.", "nasa-x", 'No such user on X: "nasa-x".'],
  ["No such user on X", "nasa-x", 'No such user on X: "nasa-x".'],
  // The message already names the target, or the part of it that identifies it.
  ["npm has no package left-pad-2.", "left-pad-2", "npm has no package left-pad-2."],
  ["The shop has no product 12345.", "https://a.test/p/12345", "The shop has no product 12345."],
  ["No such user: Nasa-X.", "nasa-x", "No such user: Nasa-X."],
  ["No such channel on Telegram.", "el", 'No such channel on Telegram: "el".'],
  // Only the first sentence ends with it.
  [
    "Booking.com shows another page. Write the URL of a hotel.",
    "ritz",
    'Booking.com shows another page: "ritz". Write the URL of a hotel.',
  ],
  ["The company has left: it is gone.", "acme", 'The company has left: it is gone ("acme").'],
])("%j of the target %j becomes %j", (message, input, expected) => {
  expect(messageOf(message, { input })).toBe(expected)
})

test("a long value is shortened, and the URL names a target without an input", () => {
  const long = messageOf("No such user on X.", { input: "a".repeat(5000) })
  expect(long).toBe(`No such user on X: "${"a".repeat(100)}…".`)
  expect(messageOf("No such page on Reddit.", {}, "https://www.reddit.com/r/nope")).toBe(
    'No such page on Reddit: "https://www.reddit.com/r/nope".',
  )
  expect(messageOf("No such page on Reddit.", { input: { q: 1 } })).toBe("No such page on Reddit.")
})

test("other errors keep their message", () => {
  const error = new Forbidden("This profile is private. Use another one.")
  expect(errorItem(error, { input: "ada" }).error.message).toBe(error.message)
})
