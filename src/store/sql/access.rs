//! Tokens and the audit log in SQL.

use super::{maybe_time, time_of};
use crate::store::{AuditEntry, Scope, StoreError, TokenRecord, UnknownScope};

/// A row of `tokens`.
#[derive(sqlx::FromRow)]
pub(in crate::store) struct TokenRow {
    id: String,
    name: String,
    scope: String,
    hash: String,
    created_at: String,
    expires_at: Option<String>,
    revoked_at: Option<String>,
}

impl TokenRow {
    pub(in crate::store) fn read(self) -> Result<TokenRecord, StoreError> {
        let of = format!("token {}", self.id);
        let scope = self.scope.parse::<Scope>().map_err(|error: UnknownScope| StoreError::DamagedRow {
            row: of.clone(),
            field: "scope",
            reason: error.to_string(),
        })?;
        Ok(TokenRecord {
            scope,
            created_at: time_of(&self.created_at, &of, "created_at")?,
            expires_at: maybe_time(self.expires_at.as_deref(), &of, "expires_at")?,
            revoked_at: maybe_time(self.revoked_at.as_deref(), &of, "revoked_at")?,
            id: self.id,
            name: self.name,
            hash: self.hash,
        })
    }
}

/// A row of `audit`.
#[derive(sqlx::FromRow)]
pub(in crate::store) struct AuditRow {
    number: i64,
    at: String,
    actor: String,
    peer: String,
    action: String,
    status: i64,
    detail: String,
}

impl AuditRow {
    pub(in crate::store) fn read(self) -> Result<AuditEntry, StoreError> {
        let of = format!("line {} of the audit log", self.number);
        let at = time_of(&self.at, &of, "at")?;
        let Self { number, actor, peer, action, status, detail, .. } = self;
        let status = u16::try_from(status).unwrap_or_default();
        Ok(AuditEntry { number, at, actor, peer, action, status, detail })
    }
}

/// Implements `AccessStore` for a store with a `pool`.
macro_rules! access_in_sql {
    ($store:ty) => {
        #[async_trait::async_trait]
        impl $crate::store::AccessStore for $store {
            async fn add_token(&self, token: $crate::store::TokenRecord) -> Result<(), $crate::store::StoreError> {
                sqlx::query(
                    "INSERT INTO tokens (id, name, scope, hash, created_at, expires_at, revoked_at)
                     VALUES ($1, $2, $3, $4, $5, $6, $7)",
                )
                .bind(token.id)
                .bind(token.name)
                .bind(token.scope.as_str())
                .bind(token.hash)
                .bind(token.created_at.to_string())
                .bind(token.expires_at.map(|at| at.to_string()))
                .bind(token.revoked_at.map(|at| at.to_string()))
                .execute(&self.pool)
                .await
                .map_err($crate::store::sql::failed("keep a token"))?;
                Ok(())
            }

            async fn tokens(&self) -> Result<Vec<$crate::store::TokenRecord>, $crate::store::StoreError> {
                let rows = sqlx::query_as::<_, $crate::store::sql::TokenRow>(
                    "SELECT * FROM tokens ORDER BY created_at, id",
                )
                .fetch_all(&self.pool)
                .await
                .map_err($crate::store::sql::failed("list tokens"))?;
                Ok($crate::store::sql::readable(rows.into_iter().map($crate::store::sql::TokenRow::read)))
            }

            async fn token(
                &self,
                id: &str,
            ) -> Result<Option<$crate::store::TokenRecord>, $crate::store::StoreError> {
                let row = sqlx::query_as::<_, $crate::store::sql::TokenRow>("SELECT * FROM tokens WHERE id = $1")
                    .bind(id)
                    .fetch_optional(&self.pool)
                    .await
                    .map_err($crate::store::sql::failed("read a token"))?;
                row.map($crate::store::sql::TokenRow::read).transpose()
            }

            async fn expire_token(
                &self,
                id: &str,
                at: jiff::Timestamp,
            ) -> Result<bool, $crate::store::StoreError> {
                let done = sqlx::query(
                    "UPDATE tokens SET expires_at = CASE WHEN expires_at < $2 THEN expires_at ELSE $2 END WHERE id = $1",
                )
                .bind(id)
                .bind(at.to_string())
                .execute(&self.pool)
                .await
                .map_err($crate::store::sql::failed("let a token end"))?;
                Ok(done.rows_affected() == 1)
            }

            async fn revoke_token(
                &self,
                id: &str,
                at: jiff::Timestamp,
            ) -> Result<bool, $crate::store::StoreError> {
                let done = sqlx::query("UPDATE tokens SET revoked_at = $2 WHERE id = $1 AND revoked_at IS NULL")
                    .bind(id)
                    .bind(at.to_string())
                    .execute(&self.pool)
                    .await
                    .map_err($crate::store::sql::failed("take a token back"))?;
                Ok(done.rows_affected() == 1)
            }

            async fn append_audit(
                &self,
                entry: $crate::store::AuditEntry,
            ) -> Result<(), $crate::store::StoreError> {
                sqlx::query(
                    "INSERT INTO audit (at, actor, peer, action, status, detail) VALUES ($1, $2, $3, $4, $5, $6)",
                )
                .bind(entry.at.to_string())
                .bind(entry.actor)
                .bind(entry.peer)
                .bind(entry.action)
                .bind(i64::from(entry.status))
                .bind(entry.detail)
                .execute(&self.pool)
                .await
                .map_err($crate::store::sql::failed("write the audit log"))?;
                Ok(())
            }

            async fn audit(
                &self,
                before: Option<i64>,
                limit: u32,
            ) -> Result<Vec<$crate::store::AuditEntry>, $crate::store::StoreError> {
                let rows = sqlx::query_as::<_, $crate::store::sql::AuditRow>(
                    "SELECT * FROM audit WHERE number < $1 ORDER BY number DESC LIMIT $2",
                )
                .bind(before.unwrap_or(i64::MAX))
                .bind(i64::from(limit))
                .fetch_all(&self.pool)
                .await
                .map_err($crate::store::sql::failed("read the audit log"))?;
                Ok($crate::store::sql::readable(rows.into_iter().map($crate::store::sql::AuditRow::read)))
            }

            async fn trim_audit(&self, keep: u32) -> Result<u64, $crate::store::StoreError> {
                let done = sqlx::query("DELETE FROM audit WHERE number <= (SELECT MAX(number) FROM audit) - $1")
                    .bind(i64::from(keep))
                    .execute(&self.pool)
                    .await
                    .map_err($crate::store::sql::failed("shorten the audit log"))?;
                Ok(done.rows_affected())
            }
        }
    };
}
pub(in crate::store) use access_in_sql;
