// Writes the types of a description: node generate_types.mjs DESCRIPTION FOLDER
import { createClient } from "@hey-api/openapi-ts";

const [input, path] = process.argv.slice(2);
await createClient({
  input,
  output: { path, entryFile: false },
  plugins: ["@hey-api/typescript"],
  logs: { level: "silent" },
});
