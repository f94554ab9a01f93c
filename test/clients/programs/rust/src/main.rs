//! From a mailbox to a verified webhook, through the client that openapi-generator makes of the document.
//! Prints what it has seen as one line of JSON.

use base64::engine::general_purpose::STANDARD;
use base64::Engine;
use hmac::{Hmac, Mac};
use outrider::apis::configuration::Configuration;
use outrider::apis::*;
use outrider::models::*;
use serde_json::json;
use sha2::Sha256;
use std::collections::{BTreeSet, HashMap};
use std::env;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::mpsc::{channel, Receiver};
use std::thread;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

type Result<T> = std::result::Result<T, Box<dyn std::error::Error>>;

const DAYS_MAX: usize = 10;
const SECONDS_MAX: u64 = 60;
const SECONDS_OLD_MAX: u64 = 300;

#[derive(Clone)]
struct Delivery {
    headers: HashMap<String, String>,
    body: String,
}

impl Delivery {
    /// As in Standard Webhooks.
    fn is_signed(&self, secret: &str) -> Result<bool> {
        let header = |name: &str| self.headers.get(name).ok_or(format!("{name} is missing"));
        let (id, time) = (header("webhook-id")?, header("webhook-timestamp")?);
        let key = STANDARD.decode(secret.trim_start_matches("whsec_"))?;
        let mut right = Hmac::<Sha256>::new_from_slice(&key)?;
        right.update(format!("{id}.{time}.{}", self.body).as_bytes());
        let now = SystemTime::now().duration_since(UNIX_EPOCH)?.as_secs();
        let is_right = header("webhook-signature")?.split(' ').any(|one| {
            let given = STANDARD.decode(one.trim_start_matches("v1,")).unwrap_or_default();
            right.clone().verify_slice(&given).is_ok()
        });
        Ok(is_right && now.abs_diff(time.parse()?) < SECONDS_OLD_MAX)
    }
}

/// Answers requests on a port of its own, one after the other.
fn receive() -> Result<(String, Receiver<Delivery>)> {
    let listener = TcpListener::bind("127.0.0.1:0")?;
    let url = format!("http://{}/hooks", listener.local_addr()?);
    let (sender, deliveries) = channel();
    thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            if let Ok(delivery) = read(stream) {
                let _ = sender.send(delivery);
            }
        }
    });
    Ok((url, deliveries))
}

fn read(mut stream: TcpStream) -> Result<Delivery> {
    let mut reader = BufReader::new(stream.try_clone()?);
    let mut headers = HashMap::new();
    let mut line = String::new();
    while reader.read_line(&mut line)? > 2 {
        if let Some((name, value)) = line.split_once(':') {
            headers.insert(name.to_lowercase(), value.trim().to_string());
        }
        line.clear();
    }
    let length = headers.get("content-length").ok_or("no length")?.parse()?;
    let mut body = vec![0; length];
    reader.read_exact(&mut body)?;
    stream.write_all(b"HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n")?;
    Ok(Delivery {
        headers,
        body: String::from_utf8(body)?,
    })
}

struct Program {
    api: Configuration,
}

impl Program {
    fn create_campaign(&self) -> Result<Campaign> {
        let mailbox = AccountCreate::new("ann@sender.example".into(), AccountProvider::Sandbox);
        accounts_api::create_account(&self.api, mailbox, None, None)?;
        let mut campaign = CampaignCreate::new("Spring".into());
        campaign.notes = Some(Some("A draft".into()));
        let campaign = campaigns_api::create_campaign(&self.api, campaign, None, None)?;
        let mut step = CampaignStepCreate::new(CampaignStepType::Email);
        step.subject = Some(Some("A question".into()));
        step.body = Some(Some("Hi".into()));
        campaigns_api::create_campaign_step(&self.api, &campaign.id.to_string(), step, None, None)?;
        Ok(campaign)
    }

    /// Two as JSON and three as a file.
    fn add_leads(&self, id: &str) -> Result<[i64; 2]> {
        let mut ada = ImportCampaignLeadsRequestLeadsInner::new("ada@one.example".into());
        ada.first_name = Some(Some("Ada".into()));
        ada.variables = Some(json!({ "city": "Oslo" }));
        let mut bo = ImportCampaignLeadsRequestLeadsInner::new("bo@two.example".into());
        bo.first_name = Some(None);
        let leads = ImportCampaignLeadsRequest::new(vec![ada, bo]);
        let added = leads_api::import_campaign_leads(&self.api, id, leads, None)?;
        let file = "email,first_name\ncy@three.example,Cy\ndi@four.example,Di\ned@five.example,Ed";
        // The generated function would send the file as JSON.
        let url = format!("{}/campaigns/{id}/leads/import", self.api.base_path);
        let key = self.api.bearer_access_token.as_deref().unwrap_or_default();
        let upload = self
            .api
            .client
            .post(url)
            .bearer_auth(key)
            .header("Content-Type", "text/csv");
        let imported: ImportCampaignFileResult = serde_json::from_str(&upload.body(file).send()?.text()?)?;
        Ok([added.imported, imported.imported])
    }

    fn create_experiment(&self, campaign: &Campaign) -> Result<String> {
        let variant = |name: &str, subject: &str| {
            let mut variant = ExperimentCreateVariantsInner::new(name.into());
            variant.config = Some(json!({ "subject": subject }));
            variant
        };
        let variants = vec![variant("A", "A question"), variant("B", "Hello")];
        let mut experiment = ExperimentCreate::new("Subject".into(), campaign.id, variants);
        experiment.primary_metric = Some(ExperimentPrimaryMetric::ReplyRate);
        let made = experiments_api::create_experiment(&self.api, experiment, None, None)?;
        Ok(made.id.to_string())
    }

    fn send(&self, campaign: &str) -> Result<i64> {
        let mut sent = 0;
        for _ in 0..DAYS_MAX {
            if sent < 5 {
                let mut day = MoveSandboxClockRequest::new();
                day.advance = Some("1d".into());
                sandbox_api::move_sandbox_clock(&self.api, day, None)?;
                sent = campaigns_api::get_campaign_stats(&self.api, campaign)?.sent;
            }
        }
        Ok(sent)
    }

    fn count_leads(&self, campaign: &str) -> Result<usize> {
        let mut emails = BTreeSet::new();
        let mut after: Option<String> = None;
        loop {
            let page = leads_api::list_campaign_leads(
                &self.api,
                campaign,
                Some(2),
                None,
                after.as_deref(),
                None,
                None,
                None,
                None,
                None,
                None,
                None,
                None,
            )?;
            emails.extend(page.data.into_iter().map(|lead| lead.email));
            after = page.next_cursor;
            if after.is_none() {
                return Ok(emails.len());
            }
        }
    }

    fn events(&self, kind: &str) -> Result<Vec<Event>> {
        Ok(events_api::list_events(&self.api, None, None, None, Some(kind), None, None, None)?.data)
    }

    fn refusal(&self) -> Result<ErrorBody> {
        match campaigns_api::create_campaign(&self.api, CampaignCreate::new("".into()), None, None) {
            Err(Error::ResponseError(refused)) => Ok(serde_json::from_str(&refused.content)?),
            other => Err(format!("a campaign without a name: {other:?}").into()),
        }
    }

    fn run(&self) -> Result<serde_json::Value> {
        let campaign = self.create_campaign()?;
        let id = campaign.id.to_string();
        let imported = self.add_leads(&id)?;
        let experiment = self.create_experiment(&campaign)?;
        let (url, deliveries) = receive()?;
        let mut webhook = WebhookCreate::new(url);
        webhook.events = Some(vec![EventPattern::EmailSent]);
        let webhook = webhooks_api::create_webhook(&self.api, webhook, None, None)?;
        let mut patch = CampaignPatch::new();
        patch.notes = Some(None);
        let cleared = campaigns_api::patch_campaign(&self.api, &id, patch, None, None)?;
        campaigns_api::start_campaign(&self.api, &id, None, None, None)?;
        let sent = self.send(&id)?;
        let results = experiments_api::get_experiment_results(&self.api, &experiment, None, None)?;
        let mut variants: Vec<_> = results.variants.iter().map(|one| &one.name).collect();
        variants.sort();
        let variants_sent: i64 = results.variants.iter().map(|one| one.emails_sent).sum();
        let told: BTreeSet<String> = self.events("email.sent")?.into_iter().filter_map(address_of).collect();
        let enrolled = self.events("lead.*")?;
        let is_enrolled = |event: &&Event| matches!(event, Event::LeadEnrolledEvent(_));
        let delivery = deliveries.recv_timeout(Duration::from_secs(SECONDS_MAX))?;
        let to = address_of(serde_json::from_str(&delivery.body)?).ok_or("another event")?;
        let forged = Delivery {
            body: format!("{} ", delivery.body),
            ..delivery.clone()
        };
        let refusal = self.refusal()?;
        Ok(json!({
            "notes": [campaign.notes, cleared.notes],
            "imported": imported,
            "sent": sent,
            "metric": results.experiment.primary_metric,
            "variants": variants,
            "variantsSent": variants_sent,
            "leads": self.count_leads(&id)?,
            "events": told,
            "enrolled": enrolled.iter().filter(is_enrolled).count(),
            "webhook": delivery.is_signed(&webhook.secret)? && told.contains(&to),
            "forged": if forged.is_signed(&webhook.secret)? { "believed" } else { "refused" },
            "refused": [json!(refusal.r#type), json!(refusal.field)],
            "disk": system_api::get_system(&self.api)?.disk.free_bytes > 0,
        }))
    }
}

fn address_of(event: Event) -> Option<String> {
    match event {
        Event::EmailSentEvent(one) => one.data.to,
        _ => None,
    }
}

fn main() -> Result<()> {
    let mut api = Configuration::new();
    api.base_path = format!("{}/api/v1", env::var("OUTRIDER_URL")?);
    api.bearer_access_token = Some(env::var("OUTRIDER_KEY")?);
    println!("{}", Program { api }.run()?);
    Ok(())
}
