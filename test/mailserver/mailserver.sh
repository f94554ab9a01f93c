#!/bin/bash
# A throw-away mail server on 127.0.0.1: Dovecot (IMAP, LMTP, Sieve) and Postfix (MX, submission,
# submission over TLS, delivery over LMTP). Everything lies in one directory; nothing of the system's own
# mail configuration is read or written; `stop` ends what `start` began, by process id.
#
#   mailserver.sh start DIR     with IMAP, IMAPS, LMTP, MX, SUBMISSION and SMTPS holding free ports,
#                               and LOAD_USERS the number of mailboxes u1@load.test, u2@load.test, …;
#                               JUNK names the junk folder, and SPECIAL_USE=no keeps it from saying so;
#                               OAUTH_URL, where it is set, says whether an access token is good;
#                               OAUTH_APP=yes has a token open every mailbox but those in DIR/closed;
#                               HOST is another address of this machine's, and NAMES are further names of
#                               the certificate (DNS:mail.example.com,DNS:…);
#                               ALIASES are further addresses of mailboxes (sales@out.test=sender1@out.test,…):
#                               with any, a login may send only from its own address and its aliases;
#                               SMTP_IDLE are the seconds after which Postfix ends a silent connection
#   mailserver.sh stop DIR
#
# Needs root and the Debian packages dovecot-imapd dovecot-lmtpd dovecot-sieve postfix openssl.
# Every password is "secret". DIR/sieve/<address>.sieve is run for mail that comes to that address.
set -euo pipefail

command=${1:?start or stop}
dir=${2:?a directory}
host=${HOST:-127.0.0.1}
# A machine whose Postfix was never set up has a configuration of its own to offer; ours is used alone.
export MAIL_CONFIG=$dir/postfix/etc

pid_of() { [ -s "$1" ] && tr -d ' ' <"$1"; }

alive() { local pid; pid=$(pid_of "$1") && kill -0 "$pid" 2>/dev/null; }

stop_server() {
  local dovecot=$dir/run/master.pid postfix=$dir/postfix/spool/pid/master.pid
  for file in "$dovecot" "$postfix"; do
    if alive "$file"; then kill "$(pid_of "$file")" 2>/dev/null || true; fi
  done
  for _ in $(seq 100); do
    if ! alive "$dovecot" && ! alive "$postfix"; then return; fi
    sleep 0.05
  done
  for file in "$dovecot" "$postfix"; do
    if alive "$file"; then kill -9 "$(pid_of "$file")" 2>/dev/null || true; fi
  done
}

write_certificate() {
  openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 30 \
    -subj /CN=localhost -addext "subjectAltName=DNS:localhost,IP:$host${NAMES:+,$NAMES}" \
    -keyout "$dir/tls/key.pem" -out "$dir/tls/cert.pem" 2>/dev/null
  chmod 600 "$dir/tls/key.pem"
}

users() {
  printf '%s\n' alice@acme.test bob@globex.test \
    sender1@out.test sender2@out.test sender3@out.test \
    seed1@gmailish.test seed2@outlookish.test
  if [ "${LOAD_USERS:-0}" -gt 0 ]; then
    seq -f 'u%.0f@load.test' "$LOAD_USERS"
  fi
}

special_use() {
  if [ "${SPECIAL_USE:-yes}" = yes ]; then echo "special_use = \\$1"; fi
}

# Tokens are asked about at the authorization server.
oauth_passdb() {
  [ -n "${OAUTH_URL:-}" ] || return 0
  cat >"$dir/oauth2.conf" <<CONF
introspection_mode = post
introspection_url = $OAUTH_URL
username_attribute = $([ -n "${OAUTH_APP:-}" ] && printf 'client_id\nusername_format = application' || echo sub)
active_attribute = active
active_value = true
CONF
  cat <<CONF
$([ -z "${OAUTH_APP:-}" ] || closed_passdb)
passdb {
  driver = oauth2
  mechanisms = xoauth2 oauthbearer
  args = $dir/oauth2.conf
}
CONF
}

# A token of an application names no mailbox: its administrator says which ones it may open.
closed_passdb() {
  touch "$dir/closed"
  chmod 644 "$dir/closed"
  printf 'passdb {\n  driver = passwd-file\n  deny = yes\n  args = username_format=%%Lu %s\n}\n' "$dir/closed"
}

write_dovecot() {
  # The six empty fields are those of a passwd file; without them LMTP finds no user.
  users | sed 's/$/:{PLAIN}secret::::::/' >"$dir/users"
  chown root:dovecot "$dir/users"
  chmod 640 "$dir/users"
  cat >"$dir/dovecot.conf" <<CONF
base_dir = $dir/run
state_dir = $dir/state
log_path = $dir/log/dovecot.log
protocols = imap lmtp
listen = $host
ssl = yes
ssl_cert = <$dir/tls/cert.pem
ssl_key = <$dir/tls/key.pem
ssl_dh =
disable_plaintext_auth = no
auth_mechanisms = plain login${OAUTH_URL:+ xoauth2 oauthbearer}
auth_failure_delay = 0
first_valid_uid = 1
mail_location = maildir:~/Maildir
recipient_delimiter = +
default_process_limit = 1200
default_client_limit = 2000
default_vsz_limit = 0
submission_host = $host:$MX
passdb {
  driver = passwd-file
  args = scheme=PLAIN username_format=%Lu $dir/users
}
$(oauth_passdb)
userdb {
  driver = passwd-file
  args = username_format=%Lu $dir/users
  default_fields = uid=mail gid=mail home=$dir/mail/%Ld/%Ln
}
namespace inbox {
  inbox = yes
  separator = /
  mailbox "${JUNK:-Junk}" {
    $(special_use Junk)
    auto = subscribe
  }
  mailbox Sent {
    $(special_use Sent)
    auto = subscribe
  }
  mailbox Trash {
    $(special_use Trash)
    auto = subscribe
  }
}
service imap-login {
  service_count = 0
  client_limit = 2000
  inet_listener imap {
    port = $IMAP
  }
  inet_listener imaps {
    port = $IMAPS
    ssl = yes
  }
}
service lmtp {
  inet_listener lmtp {
    address = $host
    port = $LMTP
  }
}
service auth {
  unix_listener $dir/postfix/spool/private/auth {
    mode = 0660
    user = postfix
    group = postfix
  }
}
service stats {
  client_limit = 2000
}
# Wrong passwords make every later login of this host wait, unless nobody counts them.
service anvil {
  unix_listener anvil-auth-penalty {
    mode = 0
  }
}
protocol imap {
  mail_max_userip_connections = 500
  mail_plugins = zlib imap_zlib
}
protocol lmtp {
  postmaster_address = postmaster@mx.test
  mail_plugins = sieve
}
plugin {
  sieve = file:$dir/sieve/%Lu.sieve
  sieve_user_email = %Lu
  sieve_extensions = +editheader
}
CONF
}

write_postfix() {
  local etc=$dir/postfix/etc
  users | sed 's/$/ x/' >"$etc/mailboxes"
  # Accepted here and refused by LMTP afterwards: the sender gets a real bounce.
  echo "bounce.test lmtp:inet:$host:$LMTP" >"$etc/transport"
  cat >"$etc/answers" <<CONF
tempfail@acme.test 450 4.2.0 mailbox busy
full@acme.test 452 4.2.2 mailbox full
spam@acme.test 550 5.7.1 blocked as spam
greylist@acme.test 451 4.7.1 greylisted
CONF
  tr ',' '\n' <<<"${ALIASES:-}" | sed 's/=/ /' >"$etc/aliases"
  { users | sed 's/.*/& &/'; cat "$etc/aliases"; } >"$etc/logins"
  # In body_checks a refusal comes after the final dot.
  echo '/REFUSE-THIS-BODY/ REJECT 5.7.1 unwanted content' >"$etc/bodies"
  cat >"$etc/main.cf" <<CONF
compatibility_level = 3.6
queue_directory = $dir/postfix/spool
data_directory = $dir/postfix/data
command_directory = /usr/sbin
daemon_directory = $daemons
mail_owner = postfix
setgid_group = postdrop
maillog_file = $dir/log/postfix.log
maillog_file_prefixes = $dir
myhostname = mx.test
mydestination =
inet_interfaces = 127.0.0.1
inet_protocols = ipv4
mynetworks = $host/32
alias_maps =
alias_database =
biff = no
virtual_mailbox_domains = acme.test globex.test gmailish.test outlookish.test out.test load.test
virtual_mailbox_maps = texthash:$etc/mailboxes
virtual_alias_maps = texthash:$etc/aliases
smtpd_sender_login_maps = texthash:$etc/logins
virtual_transport = lmtp:inet:$host:$LMTP
recipient_delimiter = +
relay_domains = bounce.test
transport_maps = texthash:$etc/transport
default_transport = error:5.1.2 nothing leaves the test server
body_checks = regexp:$etc/bodies
smtpd_tls_cert_file = $dir/tls/cert.pem
smtpd_tls_key_file = $dir/tls/key.pem
smtpd_tls_security_level = may
smtpd_sasl_type = dovecot
smtpd_sasl_path = private/auth
smtpd_sasl_auth_enable = yes
smtpd_relay_restrictions = permit_sasl_authenticated, reject_unauth_destination
smtpd_recipient_restrictions =
  check_recipient_access texthash:$etc/answers
  reject_unlisted_recipient
  permit_sasl_authenticated reject_unauth_destination
smtpd_client_connection_count_limit = 0
smtpd_client_connection_rate_limit = 0
smtpd_error_sleep_time = 0
smtpd_timeout = ${SMTP_IDLE:-300}s
unknown_local_recipient_reject_code = 550
CONF
  local login_only="-o smtpd_client_restrictions=permit_sasl_authenticated,reject"
  [ -z "${ALIASES:-}" ] || login_only="$login_only -o smtpd_sender_restrictions=reject_sender_login_mismatch"
  cat >"$etc/master.cf" <<CONF
$host:$MX         inet n - n - - smtpd
$host:$SUBMISSION inet n - n - - smtpd -o smtpd_tls_auth_only=yes $login_only
$host:$SMTPS      inet n - n - - smtpd -o smtpd_tls_wrappermode=yes $login_only
pickup    unix n - n 60 1 pickup
cleanup   unix n - n - 0 cleanup
qmgr      unix n - n 300 1 qmgr
tlsmgr    unix - - n 1000? 1 tlsmgr
rewrite   unix - - n - - trivial-rewrite
bounce    unix - - n - 0 bounce
defer     unix - - n - 0 bounce
trace     unix - - n - 0 bounce
verify    unix - - n - 1 verify
flush     unix n - n 1000? 0 flush
proxymap  unix - - n - - proxymap
smtp      unix - - n - - smtp
error     unix - - n - - error
retry     unix - - n - - error
discard   unix - - n - - discard
lmtp      unix - - n - - lmtp
anvil     unix - - n - 1 anvil
scache    unix - - n - 1 scache
postlog   unix-dgram n - n - 1 postlogd
CONF
  chown -R root:root "$etc"
  chown postfix:root "$dir/postfix/data"
}

answers() { (exec 3<>"/dev/tcp/$host/$1") 2>/dev/null; }

start_server() {
  daemons=$(dirname "$(find /usr/lib/postfix /usr/libexec/postfix -name master -type f 2>/dev/null | head -1)")
  mkdir -p "$dir"/{run,state,log,mail,tls,sieve} "$dir"/postfix/{etc,spool,data}
  # Processes that are not root have to pass through.
  chmod 755 "$dir" "$dir/run" "$dir/postfix"
  chown mail:mail "$dir/mail" "$dir/sieve"
  write_certificate
  write_dovecot
  write_postfix
  postfix -c "$MAIL_CONFIG" check
  postfix -c "$MAIL_CONFIG" start
  dovecot -c "$dir/dovecot.conf"
  for port in "$IMAP" "$IMAPS" "$LMTP" "$MX" "$SUBMISSION" "$SMTPS"; do
    for _ in $(seq 1200); do
      if answers "$port"; then continue 2; fi
      sleep 0.05
    done
    echo "nothing answers on port $port" >&2
    return 1
  done
}

case $command in
  start) start_server ;;
  stop) stop_server ;;
  *) echo "start or stop" >&2; exit 2 ;;
esac
