"""Recomputes what an experiment's results say from the raw mail of the sandbox, and compares.

    recompute.py DATABASE < reading.json

The database is the test world's file: every captured message and every mail that came back, as bytes. Who
was shown which variant is read off the text of the messages, who answered off the headers of what came
back, and the statistics are scipy's: nothing of the product's own records or code is used. `reading.json`
holds `results`, `experiment` and `history` as the API answered them, `now`, `window_days` and what each variant
`says`. Writes each number that differs; the last line is the count of those compared.
"""

import datetime
import email
import email.policy
import itertools
import json
import math
import sqlite3
import sys

import numpy as np
from scipy import integrate, optimize, special, stats

DAY_MS = 86_400_000
ALPHA, ALPHA_EARLY = 0.05, 0.01
ALPHA_FIXED = ALPHA - ALPHA_EARLY
# Tails of the walk that make the p-value of a look; what a verdict waits for.
TAILS, DECIDED_DAYS, DECIDED_LEADS = 5, 7, 100
CONCENTRATION, SPLIT_CONCENTRATION = 20.0, 1000.0
EXPECTED_MIN = 5
# The probability of being the best from which a bandit of three or more may win.
BANDIT_WINS_P = 0.95

compared = 0
wrong = []


def same(name, got, want, rtol=1e-8, atol=1e-12):
    global compared
    compared += 1
    if got is None or want is None:
        agree = got is want
    else:
        agree = abs(got - want) <= max(atol, rtol * abs(want))
    if not agree:
        wrong.append(f"{name}: the API says {got}, the mail says {want}")


def read_mail(raw):
    return email.message_from_bytes(bytes(raw), policy=email.policy.default)


def is_by_program(mail):
    automatic = str(mail.get("Auto-Submitted", "no")).lower() != "no"
    return automatic or mail.get("X-Autoreply") is not None


def bounced_ids(mail):
    """Message-IDs that a delivery report calls undeliverable for good."""
    if mail.get_content_type() != "multipart/report":
        return []
    text = mail.as_string()
    if "\nStatus: 5" not in text:
        return []
    originals = [part for part in mail.walk() if part.get_content_type() == "message/rfc822"]
    headers = [part for part in mail.walk() if part.get_content_type() == "text/rfc822-headers"]
    found = [part.get_payload(0)["Message-ID"] for part in originals]
    found += [email.message_from_string(part.get_content())["Message-ID"] for part in headers]
    return [str(one).strip() for one in found if one]


def count(database, says, now, window_ms, begins, until):
    file = sqlite3.connect(f"file:{database}?mode=ro", uri=True)
    shown = {}
    for raw, sent_at in file.execute("select raw, sent_at from sandbox_messages order by id"):
        mail = read_mail(raw)
        text = mail.get_body(("plain",)).get_content()
        arms = [arm for arm, words in enumerate(says) if words in text]
        if len(arms) == 1:
            mailbox = email.utils.parseaddr(mail["From"])[1]
            shown[mail["Message-ID"].strip()] = (arms[0], sent_at, mailbox)
    replied, bounced = {}, set()
    mails = "select raw, arrives_at from sandbox_mails where arrives_at <= ? order by arrives_at"
    for raw, arrived_at in file.execute(mails, (now,)):
        mail = read_mail(raw)
        bounced.update(one for one in bounced_ids(mail) if one in shown)
        answered = str(mail.get("In-Reply-To", "")).strip()
        if answered in shown and not is_by_program(mail) and not bounced_ids(mail):
            replied.setdefault(answered, arrived_at)
    arms = [dict(sent=0, replies=0, bounced=0, successes=0, failures=0) for _ in says]
    strata, epochs = {}, [[[0, 0, 0, 0] for _ in says] for _ in begins]
    for message_id, (arm, sent_at, mailbox) in shown.items():
        counts = arms[arm]
        # replies, successes, leads whose window has closed and all leads, by the allocation that held at its sending
        epoch = epochs[sum(begin <= sent_at for begin in begins) - 1][arm]
        epoch[3] += 1
        epoch[0] += message_id in replied and replied[message_id] <= until
        stratum = strata.setdefault(mailbox, [[0, 0] for _ in says])[arm]
        counts["sent"] += 1
        counts["bounced"] += message_id in bounced
        counts["replies"] += message_id in replied
        if sent_at + window_ms <= now:
            good = message_id in replied and replied[message_id] <= sent_at + window_ms
            counts["successes" if good else "failures"] += 1
            stratum[0] += good
            stratum[1] += 1
            epoch[1] += good
            epoch[2] += 1
    first_sent = min(sent_at for _, sent_at, _ in shown.values())
    return arms, list(strata.values()), epochs, first_sent


def log_mixture(counts, shares, concentration):
    total = special.gammaln(concentration) - special.gammaln(concentration + sum(counts))
    for n, share in zip(counts, shares):
        mass = concentration * share
        total += special.gammaln(mass + n) - special.gammaln(mass) - n * math.log(share)
    return total


def fixed_p(xa, na, xb, nb):
    good, n = xa + xb, na + nb
    if good in (0, n):
        return "degenerate", 1.0
    if min(good * na, good * nb, (n - good) * na, (n - good) * nb) / n >= 5:
        z = (xb / nb - xa / na) / math.sqrt(good / n * (1 - good / n) * (1 / na + 1 / nb))
        return "pooled_z", 2 * stats.norm.sf(abs(z))
    two_sided = stats.fisher_exact([[xa, na - xa], [xb, nb - xb]]).pvalue
    return "fisher_mid_p", two_sided - stats.hypergeom.pmf(xa, n, good, na) / 2


def wilson(x, n):
    interval = stats.binomtest(x, n).proportion_ci(1 - ALPHA_FIXED, method="wilson")
    return interval.low, interval.high


def stratified_p(strata, a, b):
    above, variance = 0.0, 0.0
    for stratum in strata:
        (xa, na), (xb, nb) = stratum[a], stratum[b]
        if na > 0 and nb > 0:
            good, n = xa + xb, na + nb
            above += xb - good * nb / n
            variance += na * nb * good * (n - good) / (n * n * (n - 1))
    return 1.0 if variance == 0 else math.erfc(abs(above) / math.sqrt(2 * variance))


def holm(values):
    order = sorted(range(len(values)), key=lambda place: values[place])
    adjusted, most = [0.0] * len(values), 0.0
    for rank, place in enumerate(order):
        most = max(most, min(1.0, (len(values) - rank) * values[place]))
        adjusted[place] = most
    return adjusted


def dunnett(p, lambdas):
    """P(some |z| is as large as p's), where each is a common normal and one of its own."""
    z, lambdas = stats.norm.isf(p / 2), np.array(lambdas)
    own, common = np.sqrt(1 - lambdas), np.sqrt(lambdas)
    beyond = lambda u: stats.norm.sf((z - common * u) / own) + stats.norm.sf((z + common * u) / own)
    some = lambda u: stats.norm.pdf(u) * (1 - np.prod(1 - beyond(u)))
    return integrate.quad(some, -12, 12, limit=500, epsabs=1e-14, points=[-6, -2, 0, 2, 6])[0]


def alone_at(alpha, lambdas):
    return optimize.brentq(lambda p: dunnett(p, lambdas) - alpha, alpha / 99, alpha, xtol=1e-15)


def familywise(places, values, tests, lambdas):
    """The first variant is the present text: its pairs by Dunnett, the others by Holm where one of the two differs."""
    own = {}
    for (a, b), p, test in zip(places, values, tests, strict=True):
        factor = TAILS if test == "group_sequential" else ALPHA / ALPHA_FIXED
        if a == 0:
            own[b] = min(1.0, p * len(lambdas) if test == "anytime" else factor * dunnett(p / factor, lambdas))
    pairs = zip(places, holm(values), strict=True)
    return [own[b] if a == 0 else max(p, min(own[a], own[b])) for (a, b), p in pairs]


def compare_with_present(results, places, told):
    same("present", results["present_variant_id"] == results["variants"][0]["id"], True)
    own = [p for (a, _), p in zip(places, told, strict=True) if a == 0]
    for p, said in zip(own, results["against_present"], strict=True):
        same(f"{said['variant']} against the present text, p_value", said["p_value"], p)
        same(f"{said['variant']} against the present text", said["significant"], bool(p <= ALPHA))


def look(ra, rb, share, expected, alpha=ALPHA):
    """A daily look at a fixed split all of whose leads have been written to: its p-value, and b's rate over a's."""
    total = ra + rb
    walked = lambda q: (rb - q * total) / math.sqrt(q * (1 - q) * expected)
    p = min(1.0, TAILS * 2 * stats.norm.sf(abs(walked(share))))
    boundary = stats.norm.isf(alpha / (2 * TAILS))
    middle, edge = rb / total, 1e-15
    low = optimize.brentq(lambda q: walked(q) - boundary, edge, middle, xtol=1e-15)
    high = optimize.brentq(lambda q: walked(q) + boundary, middle, 1 - edge, xtol=1e-15)
    return p, [q / (1 - q) * (1 - share) / share for q in (low, high)]


def equivalent(epochs):
    """What the arms count as within epochs: Poisson rates of arm times epoch, fitted by their likelihood."""
    good = np.array([[arm[1] for arm in epoch] for epoch in epochs], float)
    leads = np.array([[arm[2] for arm in epoch] for epoch in epochs], float)
    if len(epochs) == 1 or good.sum() == 0:
        return good.sum(0), leads.sum(0)
    used = good.sum(1) > 0

    def against(logs):
        weights = leads[used] * np.exp(np.append(0.0, logs))
        shares = weights / weights.sum(1, keepdims=True)
        loss = -(good[used] * np.log(np.where(shares > 0, shares, 1))).sum()
        return loss, (good[used].sum(1, keepdims=True) * shares - good[used]).sum(0)[1:]

    start = np.zeros(good.shape[1] - 1)
    logs = optimize.minimize(against, start, jac=True, method="BFGS", options={"gtol": 1e-11}).x
    rates = np.exp(np.append(0.0, logs))
    levels = good.sum(1) / np.maximum((leads * rates).sum(1), 1e-300)
    expected = (leads * levels[:, None]).sum(0)
    shares = leads / np.maximum(leads.sum(1, keepdims=True), 1)
    replies = good.sum(1)[:, None]
    own = (replies * shares).sum(0)
    worth = (replies * shares * (1 - shares)).sum(0) / (own * (1 - own / good.sum()))
    return worth * good.sum(0), worth * expected * leads.sum() / expected.sum()


def e_value(tosses):
    """Replies of B among all of its epochs, each with B's odds, over a normal mixture of log ratios."""
    thetas = np.linspace(-2, 2, 41)
    prior = np.exp(-thetas**2 / (2 * 0.5**2))
    logs = np.zeros(41)
    for a, b, share in tosses:
        tilted = share * np.exp(thetas) / (1 - share + share * np.exp(thetas))
        logs += stats.binom.logpmf(b, a + b, tilted) - stats.binom.logpmf(b, a + b, share)
    return float((prior * np.exp(logs)).sum() / prior.sum())


def log_likelihood(tosses, theta):
    return sum(
        stats.binom.logpmf(b, a + b, s * math.exp(theta) / (1 - s + s * math.exp(theta)))
        for a, b, s in tosses
    )


def anytime_ratios(tosses):
    """Ratios whose likelihood the mixture does not beat by 1/0.01: of the e-process with any of them as its null."""
    floor = math.log(e_value(tosses)) + log_likelihood(tosses, 0) + math.log(ALPHA_EARLY)
    above = lambda theta: log_likelihood(tosses, theta) - floor
    peak = optimize.minimize_scalar(lambda theta: -above(theta), bounds=(-4, 4), method="bounded").x
    return [
        math.exp(optimize.brentq(above, *ends, xtol=1e-14)) for ends in ((-30, peak), (peak, 30))
    ]


def weighted_rates(tosses, leads):
    """By inverse propensity, each day by the root of both shares: rates, and a z for any ratio of them."""
    days = [(a / (1 - s), b / s, s * (1 - s), n) for (a, b, s), n in zip(tosses, leads, strict=True)]
    weight = sum(n * math.sqrt(v) for *_, v, n in days)
    rate_a = sum(a * math.sqrt(v) for a, _, v, _ in days) / weight
    rate_b = sum(b * math.sqrt(v) for _, b, v, _ in days) / weight
    total = sum(a + b for a, b, _ in tosses)
    z = lambda ratio: (rate_b / math.sqrt(ratio) - rate_a * math.sqrt(ratio)) * weight / math.sqrt(total)
    return rate_a, rate_b, z


def compare_bandit(reading, epochs, wins):
    results, raw, alone = reading["results"], [], {}
    ids = [variant["id"] for variant in results["variants"]]
    shares = [[one["shares"][key] for key in ids] for one in reading["history"]["allocations"]]
    pairs = list(itertools.combinations(range(len(ids)), 2))
    for a, b in pairs:
        odds = [row[b] / (row[a] + row[b]) for row in shares]
        live = [(epoch[a][0], epoch[b][0], p) for epoch, p in zip(epochs, odds, strict=True)]
        closed = [(epoch[a][1], epoch[b][1], p) for epoch, p in zip(epochs, odds, strict=True)]
        anytime = min(1.0, 1 / e_value(live))
        total = sum(x + y for x, y, _ in closed)
        scaled = [(y - (x + y) * p) / math.sqrt(p * (1 - p)) for x, y, p in closed]
        # With fewer replies than this to expect of either arm, the normal approximation is not used.
        expected = sum((x + y) * p for (x, y, _), p in zip(closed, odds, strict=True))
        is_asked = results["is_final"] and min(expected, total - expected) >= EXPECTED_MIN
        fixed = 2 * stats.norm.sf(abs(sum(scaled)) / math.sqrt(total)) if is_asked else None
        p = min(1.0, anytime * ALPHA / ALPHA_EARLY)
        if fixed is not None:
            p = min(p, fixed * ALPHA / (ALPHA - ALPHA_EARLY))
        above = sum(y - (x + y) * q for x, y, q in live) if fixed is None else sum(scaled)
        alone[a, b] = (b if above > 0 else a, bool(p <= ALPHA))
        leads = [epoch[a][2] + epoch[b][2] for epoch in epochs]
        rate_a, rate_b, z = weighted_rates(closed, leads)
        test, interval = "epoch_z", None
        if fixed is None or anytime / ALPHA_EARLY < fixed / ALPHA_FIXED:
            test, interval = "anytime", anytime_ratios(live)
            rate_a, rate_b, _ = weighted_rates(live, [epoch[a][3] + epoch[b][3] for epoch in epochs])
        else:
            reach = stats.norm.isf(ALPHA_FIXED / 2)
            interval = [optimize.brentq(lambda r, k=k: z(r) - k, 1e-6, 1e6, xtol=1e-14) for k in (reach, -reach)]
        raw.append((anytime, fixed, p, test, rate_a, rate_b, interval))
    winner = best_of(alone, len(ids)) if results["is_final"] else None
    winner = None if winner is None or wins[winner] < BANDIT_WINS_P else winner
    worst = max((row[2] for pair, row in zip(pairs, raw) if winner in pair), default=1.0)
    told = familywise(pairs, [row[2] for row in raw], [row[3] for row in raw], [0.0] * (len(ids) - 1))
    adjusted = [min(p, worst) if winner in pair else p for pair, p in zip(pairs, told)]
    compare_with_present(results, pairs, adjusted)
    for pair, (anytime, fixed, _, test, rate_a, rate_b, interval), p, said in zip(pairs, raw, adjusted, results["significance"], strict=True):
        name = f"{said['variant_a']} and {said['variant_b']}"
        same(f"{name}, p_value_anytime", said["p_value_anytime"], anytime)
        same(f"{name}, p_value_fixed", said["p_value_fixed"], fixed)
        same(f"{name}, p_value", said["p_value"], p)
        same(f"{name}, test", said["test"] == test, True)
        same(f"{name}, rate_a", said["rate_a"], rate_a)
        same(f"{name}, rate_b", said["rate_b"], rate_b)
        same(f"{name}, lift_ratio", said["lift_ratio"], rate_b / rate_a)
        same(f"{name}, lift_ratio_low", said["lift_ratio_low"], interval[0], rtol=1e-7)
        same(f"{name}, lift_ratio_high", said["lift_ratio_high"], interval[1], rtol=1e-7)
    named = None if winner is None else results["variants"][winner]["name"]
    same("winner", results["winner"] == named, True)


def judged(arm):
    return arm["successes"], arm["successes"] + arm["failures"]


def expected_replies(one, other):
    """By the planned end, where nobody else will be written to: at the higher of two rates."""
    sent, replies = one["sent"] + other["sent"], one["replies"] + other["replies"]
    (xa, na), (xb, nb) = judged(one), judged(other)
    rate = max(replies / sent, (xa + xb) / max(1, na + nb))
    return max(replies, sent * rate)


def winner_of(alone, arms, reading, first_sent):
    """Who beats each of the others, by the p-values of single pairs; nobody while it is too early."""
    is_early = reading["now"] - first_sent < DECIDED_DAYS * DAY_MS
    is_small = min(arm["sent"] for arm in arms) < DECIDED_LEADS
    if not reading["results"]["is_final"] and (is_early or is_small):
        return None
    return best_of(alone, len(arms))


def best_of(alone, count):
    beats = lambda one, other: alone[min(one, other), max(one, other)] == (one, True)
    places = range(count)
    won = [one for one in places if all(beats(one, other) for other in places if other != one)]
    return won[0] if won else None


def compare_pairs(reading, arms, strata, weights, first_sent):
    results, pairs, alone = reading["results"], [], {}
    for a, b in itertools.combinations(range(len(arms)), 2):
        share = weights[b] / (weights[a] + weights[b])
        replies = [arms[b]["replies"], arms[a]["replies"]]
        anytime = min(1.0, math.exp(-log_mixture(replies, [share, 1 - share], CONCENTRATION)))
        seen, interval = look(*reversed(replies), share, expected_replies(arms[a], arms[b]))
        (xa, na), (xb, nb) = judged(arms[a]), judged(arms[b])
        test, fixed = fixed_p(xa, na, xb, nb)
        p, is_more = seen, replies[0] / weights[b] > replies[1] / weights[a]
        if results["is_final"]:
            at_end = min(1.0, fixed * ALPHA / ALPHA_FIXED)
            if at_end <= seen:
                p, is_more = at_end, xb / nb > xa / na
            else:
                test = "group_sequential"
        else:
            test = "group_sequential"
        alone[a, b] = (b if is_more else a, bool(p <= ALPHA))
        pairs.append((a, b, p, anytime, seen, interval, test, fixed, xa, na, xb, nb))
    winner = winner_of(alone, arms, reading, first_sent)
    worst = max((p for a, b, p, *_ in pairs if winner in (a, b)), default=1.0)
    places, lambdas = [pair[:2] for pair in pairs], [w / (w + weights[0]) for w in weights[1:]]
    told = familywise(places, [pair[2] for pair in pairs], [pair[6] for pair in pairs], lambdas)
    adjusted = [min(p, worst) if winner in pair else p for pair, p in zip(places, told)]
    compare_with_present(results, places, adjusted)
    level = TAILS * alone_at(ALPHA / TAILS, lambdas)
    for said, pair, p, own in zip(results["against_present"], pairs, adjusted, told):
        (a, b), share = pair[:2], weights[pair[1]] / (weights[0] + weights[pair[1]])
        if a == 0 and pair[6] == "group_sequential" and p == own:
            replies = arms[a]["replies"], arms[b]["replies"]
            _, interval = look(*replies, share, expected_replies(arms[a], arms[b]), level)
            same(f"{said['variant']} against the present text, from", said["lift_ratio_low"], interval[0])
            same(f"{said['variant']} against the present text, to", said["lift_ratio_high"], interval[1])
    for pair, p, said in zip(pairs, adjusted, results["significance"], strict=True):
        a, b, _, anytime, seen, interval, test, fixed, xa, na, xb, nb = pair
        name = f"{said['variant_a']} and {said['variant_b']}"
        same(f"{name}, test", said["test"] == test, True)
        same(f"{name}, p_value_anytime", said["p_value_anytime"], anytime)
        same(f"{name}, p_value_sequential", said["p_value_sequential"], seen)
        same(f"{name}, p_value", said["p_value"], p)
        same(f"{name}, confidence", said["confidence"], 1 - p)
        same(f"{name}, significant", said["significant"], bool(p <= ALPHA))
        beats = integrate.quad(
            lambda x: stats.beta.pdf(x, 1 + xb, 1 + nb - xb) * stats.beta.cdf(x, 1 + xa, 1 + na - xa),
            0, 1, limit=500, epsabs=1e-13, points=[xb / nb, xa / na],
        )[0]
        same(f"{name}, prob_b_beats_a", said["prob_b_beats_a"], beats, rtol=1e-7)
        share, sent = weights[b] / (weights[a] + weights[b]), arms[a]["sent"] + arms[b]["sent"]
        ra, rb = arms[a]["replies"], arms[b]["replies"]
        is_look = test == "group_sequential"
        rate_a, rate_b = (ra / (sent * (1 - share)), rb / (sent * share)) if is_look else (xa / na, xb / nb)
        same(f"{name}, rate_a", said["rate_a"], rate_a)
        same(f"{name}, rate_b", said["rate_b"], rate_b)
        same(f"{name}, lift_ratio", said["lift_ratio"], rate_b / rate_a)
        if is_look:
            same(f"{name}, lift_ratio_low", said["lift_ratio_low"], interval[0])
            same(f"{name}, lift_ratio_high", said["lift_ratio_high"], interval[1])
        if results["is_final"]:
            (la, ua), (lb, ub) = wilson(xa, na), wilson(xb, nb)
            d = xb / nb - xa / na
            low = d - math.hypot(xb / nb - lb, ua - xa / na)
            high = d + math.hypot(ub - xb / nb, xa / na - la)
            same(f"{name}, p_value_fixed", said["p_value_fixed"], fixed)
            same(f"{name}, p_value_stratified", said["p_value_stratified"], stratified_p(strata, a, b))
            same(f"{name}, difference", said["difference"], d)
            same(f"{name}, difference_low", said["difference_low"], low)
            same(f"{name}, difference_high", said["difference_high"], high)
        else:
            same(f"{name}, p_value_fixed", said["p_value_fixed"], None)
    named = None if winner is None else results["variants"][winner]["name"]
    same("winner", results["winner"] == named, True)


def compare_beliefs(reading, good, leads):
    experiment, quality = reading["experiment"], reading["results"]["quality"]
    beliefs = [stats.beta(1 + s, 1 + n - s) for s, n in zip(good, leads, strict=True)]
    points = [belief.mean() for belief in beliefs]
    whole = lambda f: integrate.quad(f, 0, 1, limit=500, epsabs=1e-13, points=points)[0]
    others = lambda arm, x: math.prod(o.cdf(x) for n, o in enumerate(beliefs) if n != arm)
    wins = [whole(lambda x, i=i: beliefs[i].pdf(x) * others(i, x)) for i in range(len(beliefs))]
    for arm, variant in enumerate(reading["results"]["variants"]):
        key, name = variant["id"], variant["name"]
        loss = whole(lambda x, i=arm: beliefs[i].cdf(x) * (1 - others(i, x)))
        same(f"{name}, win probability", experiment["win_probabilities"][key], wins[arm], atol=1.5e-6)
        same(f"{name}, expected loss", quality["expected_loss"][key], loss, rtol=1e-7)
        interval = quality["credible_intervals"][key]
        same(f"{name}, credible from", interval["low"], beliefs[arm].ppf(ALPHA / 2))
        same(f"{name}, credible to", interval["high"], beliefs[arm].ppf(1 - ALPHA / 2))
    entropy = -sum(p * math.log(p) for p in wins if p > 0)
    same("convergence", experiment["convergence"], 1 - entropy / math.log(len(beliefs)), atol=1e-6)
    leader = max(range(len(beliefs)), key=lambda arm: wins[arm])
    same("leader", quality["leader_id"] == reading["results"]["variants"][leader]["id"], True)
    exceeds = lambda v: whole(
        lambda x: beliefs[leader].pdf(x) * others(leader, min(1.0, (1 + v) * x))) - 0.95
    remaining = 0.0 if exceeds(0) >= 0 else optimize.brentq(exceeds, 0, 50, xtol=1e-12)
    same("value_remaining_95", quality["value_remaining_95"], remaining, rtol=1e-6, atol=1e-9)
    return wins


def main():
    reading = json.load(sys.stdin)
    results, quality = reading["results"], reading["results"]["quality"]
    weights = [variant["weight"] for variant in results["variants"]]
    window_ms = reading["window_days"] * DAY_MS
    begins = [parse(one["since"]) for one in reading["history"]["allocations"]]
    # What came after the verdict moves no p-value.
    closed = reading["experiment"]["completed_at"]
    until = reading["now"] if closed is None else parse(closed)
    arms, strata, epochs, first_sent = count(
        sys.argv[1], reading["says"], reading["now"], window_ms, begins, until
    )
    for arm, variant in zip(arms, results["variants"], strict=True):
        name, sent = variant["name"], arm["sent"]
        same(f"{name}, emails_sent", variant["emails_sent"], sent)
        for key in ("replies", "bounced", "successes", "failures"):
            same(f"{name}, {key}", variant[key], arm[key])
        same(f"{name}, reply_rate", variant["reply_rate"], arm["replies"] / sent)
        same(f"{name}, bounce_rate", variant["bounce_rate"], arm["bounced"] / sent)
    observed = [arm["sent"] for arm in arms]
    is_bandit = reading["experiment"]["optimization_mode"] == "thompson_sampling"
    shares = [weight / sum(weights) for weight in weights]
    if is_bandit:
        compare_bandit(reading, epochs, compare_beliefs(reading, *equivalent(epochs)))
        finish()
    chi = stats.chisquare(observed, [sum(observed) * share for share in shares]).pvalue
    anytime = min(1.0, math.exp(-log_mixture(observed, shares, SPLIT_CONCENTRATION)))
    same("srm_p_value", quality["srm_p_value"], chi)
    same("srm_p_value_anytime", quality["srm_p_value_anytime"], anytime)
    pending = sum(arm["sent"] - arm["successes"] - arm["failures"] for arm in arms)
    same("pending", quality["pending"], pending)
    compare_pairs(reading, arms, strata, weights, first_sent)
    good = [arm["successes"] for arm in arms]
    compare_beliefs(reading, good, [arm["successes"] + arm["failures"] for arm in arms])
    finish()


def finish():
    print("\n".join([*wrong, f"{compared} numbers compared, {len(wrong)} differ"]))
    sys.exit(1 if wrong else 0)


def parse(instant):
    return datetime.datetime.fromisoformat(instant.replace("Z", "+00:00")).timestamp() * 1000


main()
