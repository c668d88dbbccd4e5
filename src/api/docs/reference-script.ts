// @ts-expect-error It is taken as a file, and has no types.
import path from "../../../node_modules/@scalar/api-reference/dist/browser/standalone.js" with {
  type: "file",
}

/** Path of the interactive reference's script; in the executable, the built one. */
export const referenceScript: string = path
