import type { InputFault } from "../../catalogue/kit/index.ts"

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

/** A field of the scraper's input that the caller gave by a parameter of another name. */
export interface Alias {
  field: string
  parameter: string
}

/** Faults by the names that the caller used. */
export function inCallersNames(faults: InputFault[], alias: Alias | undefined): InputFault[] {
  if (!alias) return faults
  return faults.map((fault) => {
    const [field] = fault.field.split(".", 1)
    return field === alias.field ? { ...fault, field: alias.parameter } : fault
  })
}

export function invalidInput(faults: InputFault[], httpStatus = 400): KeylessFault {
  const isJoined = faults.some(
    ({ index, actual }) => index !== undefined && String(actual).includes(","),
  )
  const messages = faults.map((fault) => fault.message)
  if (isJoined) messages.push("Separate the values of a list by |, or repeat the parameter.")
  const message = messages.join(" ")
  return new KeylessFault("INVALID_INPUT", message, faults, httpStatus)
}
