/** Emails a second through the whole send path, against the library that speaks SMTP for it. */

import { program, resultOf, startServer, temporaryDirectory } from "../children.ts";
import { compare, type Figure, type Sample } from "../measure.ts";
import type { SendInput, SendResult } from "../programs/send-limit.ts";
import { LISTMONK, startListmonk } from "./listmonk.ts";
import type { Scale } from "./scale.ts";

export async function sending({ mailboxes, messages, sendRounds }: Scale): Promise<Figure> {
  await using sink = await startServer(program("smtp-sink"));
  const send = async (name: string): Promise<Sample> => {
    using directory = temporaryDirectory();
    const { port } = sink.ready;
    const input: SendInput = { port, mailboxes, messages, directory: directory.path };
    const { ms, cpuUs } = await resultOf<SendResult>(program(name, input));
    return { value: (messages * 1000) / ms, cpuUs: cpuUs / messages };
  };
  await using listmonk = await startListmonk({ smtpPort: sink.ready.port });
  await listmonk?.import(messages);
  return await compare(
    {
      id: "send",
      about: `Claim, render, SMTP and settle, ${mailboxes} mailboxes, no gaps`,
      unit: "1/s",
      product: { name: "outrider", run: () => send("send-product") },
      limits: [
        {
          name: "nodemailer's low-level connection, messages ready",
          least: 0.35,
          run: () => send("send-limit"),
        },
        { name: "nodemailer's pool, messages ready", least: 3, run: () => send("send-pool") },
        ...(listmonk === undefined
          ? []
          : [{ name: LISTMONK, least: 0.67, run: () => listmonk.send(messages, sink.ready.url) }]),
      ],
    },
    sendRounds,
  );
}
