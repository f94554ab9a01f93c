import com.sun.net.httpserver.HttpServer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.Instant;
import java.util.Arrays;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import outrider.ApiClient;
import outrider.ApiException;
import outrider.api.*;
import outrider.model.*;

/**
 * From a mailbox to a verified webhook, through the client that openapi-generator makes of the document.
 * Prints what it has seen as one line of JSON.
 */
public final class Program {
  private static final int DAYS_MAX = 10;
  private static final int SECONDS_MAX = 60;
  private static final int SECONDS_OLD_MAX = 300;

  private record Delivery(String id, String time, String signatures, String body) {
    /** As in Standard Webhooks. */
    boolean isSigned(String secret) throws Exception {
      byte[] key = Base64.getDecoder().decode(secret.substring("whsec_".length()));
      Mac mac = Mac.getInstance("HmacSHA256");
      mac.init(new SecretKeySpec(key, "HmacSHA256"));
      byte[] right = mac.doFinal((id + "." + time + "." + body).getBytes(StandardCharsets.UTF_8));
      boolean isFresh =
          Math.abs(Instant.now().getEpochSecond() - Long.parseLong(time)) < SECONDS_OLD_MAX;
      return isFresh
          && Arrays.stream(signatures.split(" "))
              .map(one -> Base64.getDecoder().decode(one.substring("v1,".length())))
              .anyMatch(given -> MessageDigest.isEqual(given, right));
    }
  }

  private final ApiClient client = new ApiClient();
  private final BlockingQueue<Delivery> deliveries = new LinkedBlockingQueue<>();

  private Program(String url, String key) {
    client.updateBaseUri(url + "/api/v1");
    client.setRequestInterceptor(request -> request.header("Authorization", "Bearer " + key));
  }

  private HttpServer receive() throws Exception {
    HttpServer receiver =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    receiver.createContext(
        "/hooks",
        exchange -> {
          var headers = exchange.getRequestHeaders();
          String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
          deliveries.add(
              new Delivery(
                  headers.getFirst("webhook-id"),
                  headers.getFirst("webhook-timestamp"),
                  headers.getFirst("webhook-signature"),
                  body));
          exchange.sendResponseHeaders(204, -1);
          exchange.close();
        });
    receiver.start();
    return receiver;
  }

  private Campaign createCampaign() throws ApiException {
    new AccountsApi(client)
        .createAccount(
            new AccountCreate().email("ann@sender.example").provider(AccountProvider.SANDBOX),
            null,
            null);
    CampaignsApi campaigns = new CampaignsApi(client);
    Campaign campaign =
        campaigns.createCampaign(new CampaignCreate().name("Spring").notes("A draft"), null, null);
    CampaignStepCreate step =
        new CampaignStepCreate().type(CampaignStepType.EMAIL).subject("A question").body("Hi");
    campaigns.createCampaignStep(campaign.getId(), step, null, null);
    return campaign;
  }

  /** Two as JSON and three as a file. */
  private List<Long> addLeads(UUID id) throws ApiException {
    var ada =
        new ImportCampaignLeadsRequestLeadsInner()
            .email("ada@one.example")
            .firstName("Ada")
            .variables(Map.of("city", "Oslo"));
    var bo = new ImportCampaignLeadsRequestLeadsInner().email("bo@two.example").firstName(null);
    var added =
        new LeadsApi(client)
            .importCampaignLeads(id, new ImportCampaignLeadsRequest().leads(List.of(ada, bo)), null);
    String file = "email,first_name\ncy@three.example,Cy\ndi@four.example,Di\ned@five.example,Ed";
    var imported =
        new ImportsApi(client)
            .importCampaignFile(id, file, null, null, null, null, null, null, null, null);
    return List.of(added.getImported(), imported.getImported());
  }

  private Experiment createExperiment(UUID campaign) throws ApiException {
    return new ExperimentsApi(client)
        .createExperiment(
            new ExperimentCreate()
                .name("Subject")
                .campaignId(campaign)
                .primaryMetric(ExperimentPrimaryMetric.REPLY_RATE)
                .addVariantsItem(variant("A", "A question"))
                .addVariantsItem(variant("B", "Hello")),
            null,
            null);
  }

  private static ExperimentCreateVariantsInner variant(String name, String subject) {
    return new ExperimentCreateVariantsInner().name(name).config(Map.of("subject", subject));
  }

  private long send(UUID campaign) throws ApiException {
    long sent = 0;
    for (int day = 0; day < DAYS_MAX && sent < 5; day += 1) {
      var move = new MoveSandboxClockRequest().advance("1d");
      new SandboxApi(client).moveSandboxClock(move, null);
      sent = new CampaignsApi(client).getCampaignStats(campaign).getSent();
    }
    return sent;
  }

  private int countLeads(UUID campaign) throws ApiException {
    LeadsApi leads = new LeadsApi(client);
    Set<String> emails = new TreeSet<>();
    String after = null;
    do {
      CampaignLeadList page =
          leads.listCampaignLeads(campaign, 2, null, after, null, null, null, null, null, null, null, null);
      page.getData().forEach(lead -> emails.add(lead.getEmail()));
      after = page.getNextCursor();
    } while (after != null);
    return emails.size();
  }

  private List<Event> events(String type) throws ApiException {
    return new EventsApi(client).listEvents(null, null, null, type, null, null, null).getData();
  }

  private ErrorBody refusal() throws Exception {
    try {
      new CampaignsApi(client).createCampaign(new CampaignCreate().name(""), null, null);
      throw new IllegalStateException("a campaign without a name was created");
    } catch (ApiException refused) {
      return client.getObjectMapper().readValue(refused.getResponseBody(), ErrorBody.class);
    }
  }

  private Map<String, Object> run() throws Exception {
    Campaign campaign = createCampaign();
    UUID id = campaign.getId();
    Map<String, Object> seen = new LinkedHashMap<>();
    seen.put("imported", addLeads(id));
    Experiment experiment = createExperiment(id);
    HttpServer receiver = receive();
    String url = "http://127.0.0.1:" + receiver.getAddress().getPort() + "/hooks";
    Webhook webhook =
        new WebhooksApi(client)
            .createWebhook(
                new WebhookCreate().url(url).events(Set.of(EventPattern.EMAIL_SENT)), null, null);
    CampaignsApi campaigns = new CampaignsApi(client);
    var cleared = campaigns.patchCampaign(id, new CampaignPatch().notes(null), null, null);
    seen.put("notes", Arrays.asList(campaign.getNotes(), cleared.getNotes()));
    campaigns.startCampaign(id, null, null, null);
    seen.put("sent", send(id));
    ExperimentResult results =
        new ExperimentsApi(client).getExperimentResults(experiment.getId(), null, null);
    seen.put("metric", results.getExperiment().getPrimaryMetric());
    seen.put("variants", results.getVariants().stream().map(one -> one.getName()).sorted().toList());
    seen.put("variantsSent", results.getVariants().stream().mapToLong(one -> one.getEmailsSent()).sum());
    seen.put("leads", countLeads(id));
    Set<String> sent = new TreeSet<>();
    for (Event event : events("email.sent")) {
      if (event.getActualInstance() instanceof EmailSentEvent one) {
        sent.add(one.getData().getTo());
      }
    }
    seen.put("events", sent);
    seen.put(
        "enrolled",
        events("lead.*").stream()
            .filter(event -> event.getActualInstance() instanceof LeadEnrolledEvent)
            .count());
    Delivery delivery = deliveries.poll(SECONDS_MAX, TimeUnit.SECONDS);
    Event told = client.getObjectMapper().readValue(delivery.body(), Event.class);
    String to = told.getEmailSentEvent().getData().getTo();
    seen.put("webhook", delivery.isSigned(webhook.getSecret()) && sent.contains(to));
    Delivery other =
        new Delivery(delivery.id(), delivery.time(), delivery.signatures(), delivery.body() + " ");
    seen.put("forged", other.isSigned(webhook.getSecret()) ? "believed" : "refused");
    ErrorBody refusal = refusal();
    seen.put("refused", List.of(refusal.getType(), refusal.getField()));
    seen.put("disk", new SystemApi(client).getSystem().getDisk().getFreeBytes() > 0);
    receiver.stop(0);
    return seen;
  }

  public static void main(String[] arguments) throws Exception {
    Program program = new Program(System.getenv("OUTRIDER_URL"), System.getenv("OUTRIDER_KEY"));
    System.out.println(program.client.getObjectMapper().writeValueAsString(program.run()));
    // The client's threads would keep the process for a while.
    System.exit(0);
  }
}
