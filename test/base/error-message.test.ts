import { expect, test } from "bun:test"
import { messageOf } from "../../src/base/error-message.ts"

const thrown: [string, unknown, string][] = [
  ["an error", new TypeError("is not a function"), "is not a function"],
  ["an error without words", new Error(""), ""],
  ["an error of a socket", new ErrorEvent("error", { message: "refused" }), "refused"],
  ["a text", "stopped", "stopped"],
  ["a number", 7, "7"],
  ["nothing", undefined, "undefined"],
  ["null", null, "null"],
  ["an object whose message is not a string", { message: 5, toString: () => "odd" }, "odd"],
]

test.each(thrown)("%s", (_what, error, text) => expect(messageOf(error)).toBe(text))
