/**
 * The paths through the console that `verify` follows. They share a browser, and most of them an executable,
 * because to start both costs as much as a path. Each of these files can also run without the others.
 */
// The first: it starts its services at once, and has several paths at the same time.
import "./sign-up.ts"
import "./under-path.ts"
import "./account.ts"
import "./keyboard.ts"
import "./runs.ts"
import "./screens.ts"
import "./search.ts"
