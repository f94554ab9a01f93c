/** Where `bun run migration` finds the tables and puts its SQL. */

const config = {
  dialect: "sqlite" as const,
  schema: "./src/store/tables",
  out: "./migrations",
};

export { config as default };
