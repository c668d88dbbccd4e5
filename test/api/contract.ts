import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js"
import addFormats from "ajv-formats"
import type { AnyElysia } from "elysia"
import { type OpenApiDocument, openApiDocument } from "../../src/api/docs/openapi.ts"
import { routeName } from "../../src/api/metrics/route-names.ts"

interface Response {
  status: number
  headers: Headers
  body: unknown
}

const documentId = "https://trawl.test/openapi.json"

/** Checks each response that the tests receive against the OpenAPI document. */
export class Contract {
  private static readonly ofDefaults = new Map<string, Contract>()

  /**
   * Returns the contract of an app with the scrapers of the tests. Apps with the same routes share one,
   * because it takes a tenth of a second.
   */
  static shared(app: AnyElysia): Contract {
    const routes = app.routes.map(({ method, path }) => `${method} ${path}`).join("\n")
    const known = Contract.ofDefaults.get(routes) ?? new Contract(app)
    Contract.ofDefaults.set(routes, known)
    return known
  }

  private readonly document: OpenApiDocument
  private readonly ajv = new Ajv2020({ strict: false, allErrors: true })
  private readonly validators = new Map<string, ValidateFunction>()

  constructor(private readonly app: AnyElysia) {
    // What clients read is the JSON text, which has no symbols and no undefined values.
    this.document = JSON.parse(JSON.stringify(openApiDocument(app, "http://trawl.test")))
    addFormats.default(this.ajv)
    this.ajv.addSchema({ $id: documentId, ...this.document })
  }

  /**
   * @throws Error if a documented route returns a status or a JSON body that the document lacks.
   */
  validate(method: string, path: string, { status, headers, body }: Response): void {
    const { pathname } = new URL(path, "http://trawl.test")
    const template = routeName(this.app, method, pathname).replace(/:(\w+)/g, "{$1}")
    const command = method === "HEAD" ? "get" : method.toLowerCase()
    const operation = this.document.paths[template]?.[command]
    // 304 and 206 respond to request headers, and have the content of 200.
    if (!operation || status === 304 || status === 206 || status === 416) return
    const where = `${method} ${template} ${status}`
    const reply = operation.responses[status]
    if (!reply) throw new Error(`${where} is not documented: ${shorten(body)}`)
    if (body === undefined) return
    const [type = ""] = (headers.get("content-type") ?? "").split(";")
    if (!reply.content?.[type]) throw new Error(`${where}: ${type} is not documented`)
    const validator = this.validatorOf([
      "paths",
      template,
      command,
      "responses",
      `${status}`,
      "content",
      type,
      "schema",
    ])
    if (validator(body)) return
    const errors = (validator.errors ?? []).slice(0, 5)
    const issues = errors.map(
      ({ instancePath, message, params }) => `${instancePath} ${message} ${JSON.stringify(params)}`,
    )
    throw new Error(`${where} does not match the document: ${issues.join("; ")}: ${shorten(body)}`)
  }

  private validatorOf(location: string[]): ValidateFunction {
    const pointer = location
      .map((part) => encodeURIComponent(part.replaceAll("~", "~0").replaceAll("/", "~1")))
      .join("/")
    const known = this.validators.get(pointer)
    if (known) return known
    const validator = this.ajv.compile({ $ref: `${documentId}#/${pointer}` })
    this.validators.set(pointer, validator)
    return validator
  }
}

const shorten = (body: unknown) => (JSON.stringify(body) ?? "").slice(0, 300)
