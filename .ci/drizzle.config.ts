/** Where `bun run migration` finds the tables and puts its SQL. */

export default {
  dialect: "sqlite" as const,
  schema: "./src/store/tables",
  out: "./migrations",
};
