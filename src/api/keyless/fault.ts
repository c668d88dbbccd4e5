import type { InputFault } from "../../catalogue/input.ts"

/** A keyless call that ends before a run: what its answer says. */
export class KeylessFault extends Error {
  constructor(
    readonly status: "INVALID_INPUT" | "ERROR",
    message: string,
    readonly details?: InputFault[] | Record<string, unknown>,
    /** On POST, where the HTTP status tells the outcome. */
    readonly httpStatus = status === "INVALID_INPUT" ? 400 : 200,
  ) {
    super(message)
  }
}

export function invalidInput(faults: InputFault[], httpStatus = 400): KeylessFault {
  const message = faults.map((fault) => fault.message).join(" ")
  return new KeylessFault("INVALID_INPUT", message, faults, httpStatus)
}
