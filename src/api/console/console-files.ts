// @ts-expect-error It is taken as a file.
import script from "../../console/main.tsx" with { type: "file" }
// @ts-expect-error It is taken as a file.
import pushWorker from "../../console/push-worker.ts" with { type: "file" }
// @ts-expect-error It is taken as a file, and has no types.
import style from "../../console/style.css" with { type: "file" }

/** The executable contains them built and compressed; they are built on demand from source. */
export const consoleFiles: Record<"script" | "style" | "pushWorker", string> = {
  script,
  style,
  pushWorker,
}
