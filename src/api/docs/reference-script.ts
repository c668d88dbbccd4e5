// @ts-expect-error It is taken as a file, and has no types.
import path from "../../../node_modules/@scalar/api-reference/dist/browser/standalone.js" with {
  type: "file",
}

/** Where the script of the interactive reference lies; inside the executable, once it is built. */
export const referenceScript: string = path
