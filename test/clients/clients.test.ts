/** The tests of all clients, in one file because they share a service. */
import { afterAll } from "bun:test"
import "./javascript.ts"
import "./package.ts"
import "./python.ts"
import { stopService } from "./service.ts"

afterAll(stopService, 120_000)
