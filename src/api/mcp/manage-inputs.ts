import { type TObject, Type } from "@sinclair/typebox"
import { inputObject } from "../../catalogue/kit/index.ts"
import { newDestinationBody } from "../schemas/destination.ts"
import { newSessionBody } from "../schemas/session.ts"

const name = { minLength: 1, maxLength: 64 }
const session = Type.String({ ...name, description: "Name of the session." })
const destination = Type.String({ ...name, description: "Name of the destination." })

/** Inputs of the tools that create and delete what belongs to an account. */
export const manageInputs = {
  list_sessions: inputObject({}),
  create_session: inputObject({
    ...newSessionBody.properties,
    replace: Type.Boolean({
      default: false,
      description: "Replace the cookies or the recipe of a session of this name.",
    }),
  }),
  check_session: inputObject({
    session,
    logIn: Type.Boolean({ default: false, description: "Log in now with its recipe." }),
  }),
  delete_session: inputObject({ session }),
  create_destination: inputObject(newDestinationBody.properties),
  test_destination: inputObject({ destination }),
  delete_destination: inputObject({ destination }),
} satisfies Record<string, TObject>

export type ManageTool = keyof typeof manageInputs

export const isManageTool = (name: string): name is ManageTool => Object.hasOwn(manageInputs, name)

/** Descriptions of the tools. */
export const manageTexts: Record<ManageTool, string> = {
  list_sessions: "List the account's sessions: log-ins at sites for `session` of run_scraper.",
  create_session:
    "Create a session from cookies (import) or with a log-in recipe. Ask your user before you pass a password.",
  check_session: "State, hosts and expiry of a session.",
  delete_session: "Delete a session; runs that name it fail.",
  create_destination: "Create a destination that receives items of runs.",
  test_destination: "Write a probe to a destination and remove it again.",
  delete_destination: "Delete a destination and its waiting deliveries.",
}
