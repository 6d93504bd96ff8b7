//! The messages of all mechanisms, and what they consist of.

use crate::wire::plan::Item;

macro_rules! parts {
    ($($name:ident = $label:literal, $type_name:literal, $about:literal $(, $secret:ident)?;)*) => {
        /// A message of a mechanism, or a part of one.
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        #[repr(u16)]
        pub enum Part {
            $($name),*
        }

        impl Part {
            /// Whether nobody but its owner should see it.
            pub fn is_secret(self) -> bool {
                match self {
                    $(Part::$name => !stringify!($($secret)?).is_empty()),*
                }
            }
        }

        /// The items of all parts, in their order.
        pub fn items() -> Vec<Item> {
            vec![$(Item::new($label.into(), $type_name.into(), $about.into())),*]
        }
    };
}

// Name, type and doc, as the RFCs name them.
parts! {
    PlainMessage = "token", "PLAIN message", "user and password as they are, safe only within TLS";
    ScramClientFirst = "token", "SCRAM client-first-message", "who the client says it is";
    ScramServerFirst = "token", "SCRAM server-first-message", "what the client needs for its proof";
    ScramClientFinal = "token", "SCRAM client-final-message", "proves that the client knows the password";
    ScramServerFinal = "token", "SCRAM server-final-message", "proves that the server knows the user, or refuses";
    OauthClientFirst = "token", "OAUTHBEARER client message", "a token that another server gave out";
    OauthError = "token", "OAUTHBEARER server error", "why the server refuses the token, as JSON";
    OauthAbort = "token", "OAUTHBEARER client answer", "the client has read why its token is refused";
    KerberosContext = "token", "GSSAPI context token", "a Kerberos message, most of which is encrypted", secret;
    KerberosWrapped = "token", "GSSAPI wrapped token", "protected by Kerberos; negotiates a security layer", secret;
    Separator = "separator", "", "";
    BindingFlag = "gs2-cbind-flag", "string", "channel binding: n none, y none offered, p=NAME the one in use";
    AuthorizationId = "authzid", "string", "who the client wants to act as, if not as itself";
    AuthenticationId = "authcid", "string", "name of the user";
    Password = "passwd", "string", "password of the user", secret;
    Mandatory = "reserved-mext", "string", "an extension that must be understood";
    Username = "username", "string", "name of the user, or id of a delegation token";
    Nonce = "nonce", "string", "random text of the client, followed by the server's once it has answered";
    Salt = "salt", "string", "what the password is hashed with, as base64";
    Iterations = "iteration-count", "string", "how often the password is hashed";
    Binding = "channel-binding", "string", "header of the first message once more, as base64";
    Proof = "proof", "string", "made of the hashed password and all messages before, as base64", secret;
    Verifier = "verifier", "string", "the server's signature of all messages before, as base64", secret;
    ServerError = "server-error", "string", "why the server refuses";
    Extension = "extension", "string", "key and value; tokenauth=true means a delegation token";
    Scheme = "auth", "string", "how the token is to be used";
    BearerToken = "token", "string", "whoever has it may log in with it", secret;
}
