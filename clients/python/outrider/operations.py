"""Made by .ci/client.ts from the API's own document. Not to be changed by hand."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from http.client import HTTPResponse
from typing import IO, TYPE_CHECKING, Any, Literal, TypeAlias, Union, cast

if TYPE_CHECKING:
    from .types import (
        Account,
        AccountActivityList,
        AccountCreate,
        AccountCreated,
        AccountDetail,
        AccountDkim,
        AccountDns,
        AccountHealth,
        AccountList,
        AccountPatch,
        AccountPlacement,
        AccountUsage,
        AttachInboxThreadRequest,
        Attention,
        Audit,
        AuditChain,
        AuditList,
        Backup,
        BackupList,
        BackupSchedule,
        BackupTask,
        BillingSubscription,
        Campaign,
        CampaignCreate,
        CampaignDetail,
        CampaignForecast,
        CampaignLaunchCheck,
        CampaignLead,
        CampaignLeadDetail,
        CampaignLeadExplain,
        CampaignLeadHoldReason,
        CampaignLeadList,
        CampaignLeadPatch,
        CampaignLeadStatus,
        CampaignList,
        CampaignPatch,
        CampaignRehearsal,
        CampaignStats,
        CampaignStatus,
        CampaignStep,
        CampaignStepCreate,
        CampaignStepList,
        CampaignStepPatch,
        CampaignTagList,
        CannedReply,
        CannedReplyCreate,
        CannedReplyCreated,
        CannedReplyList,
        CannedReplyPatch,
        ChangeAccountsRequest,
        ChangeAccountsResult,
        ChangeCampaignLeadsRequest,
        ChangeCampaignLeadsResult,
        ChangeInboxThreadsRequest,
        ChangeInboxThreadsResult,
        CheckCampaignStepRequest,
        CheckCampaignStepResult,
        CheckWebhookResult,
        CompleteExperimentRequest,
        ConnectAccountResult,
        ConnectWorkspaceAccountsRequest,
        ConnectWorkspaceAccountsResult,
        CreateBackupResult,
        CreateCampaignStepResult,
        CreateSuppressionResult,
        DeletedRecord,
        DeletedRecordList,
        Domain,
        DomainDetail,
        DomainList,
        DomainSenders,
        DuplicateCampaignRequest,
        EnrollCampaignLeadsRequest,
        EnrollCampaignLeadsResult,
        Environment,
        Erasure,
        ErasureList,
        ErasureWebhookStatus,
        Event,
        EventList,
        EventOrder,
        EventType,
        EventTypeDescriptionList,
        Experiment,
        ExperimentCreate,
        ExperimentDetail,
        ExperimentHistory,
        ExperimentPatch,
        ExperimentPlan,
        ExperimentResult,
        ExperimentStatus,
        ForwardInboxThreadRequest,
        Import,
        ImportAccountsResult,
        ImportCampaignFileResult,
        ImportCampaignLeadsRequest,
        ImportCampaignLeadsResult,
        ImportDelimiter,
        ImportExisting,
        ImportKind,
        ImportLineFormat,
        ImportList,
        ImportReason,
        ImportStatus,
        InboxFolderList,
        InboxThread,
        InboxThreadDetail,
        InboxThreadFolder,
        InboxThreadList,
        InboxThreadNote,
        InboxThreadNoteCreate,
        InboxThreadNoteList,
        InboxThreadPatch,
        InboxThreadReply,
        InjectIntoSandboxRequest,
        InjectIntoSandboxResult,
        Interest,
        Key,
        KeyCreate,
        KeyCreated,
        KeyList,
        Lead,
        LeadCampaignList,
        LeadDetail,
        LeadDuplicate,
        LeadDuplicateList,
        LeadList,
        LeadPatch,
        LeadTimelineList,
        LeadView,
        LeadViewCreate,
        LeadViewList,
        LeadViewPatch,
        LoggedRequest,
        LoggedRequestList,
        LoggedRequestMethod,
        LoggedRequestOutcome,
        MergeLeadRequest,
        MergeLeadResult,
        MessagePatch,
        MoveSandboxClockRequest,
        PatchCampaignResult,
        PlacementRun,
        PlacementRunCreate,
        PlacementRunCreated,
        PlacementRunList,
        PlacementRunStatus,
        PlacementRunTriggerType,
        PlacementSchedule,
        PlacementScheduleCreate,
        PlacementScheduleList,
        PlacementSchedulePatch,
        PlacementSeed,
        PlacementSeedCreate,
        PlacementSeedCreated,
        PlacementSeedList,
        PlacementSeedPatch,
        PreviewCampaignRequest,
        PreviewCampaignResult,
        PreviewImportResult,
        ProviderFiguresList,
        ReceivedKind,
        ReplayWebhookRequest,
        ReplayWebhookResult,
        ReplyToInboxThreadRequest,
        ResolveCampaignLeadRequest,
        ResolveMessageRequest,
        RestoreBackupRequest,
        RotateKeyRequest,
        RotateWebhookSecretRequest,
        RunBatchRequest,
        RunBatchResult,
        SandboxClock,
        SandboxMessage,
        SandboxMessageDetail,
        SandboxMessageList,
        SandboxSettings,
        SandboxSettingsPatch,
        SeedProvider,
        SendTestCampaignStepRequest,
        SendTestCampaignStepResult,
        SetAccountDkimRequest,
        SetBillingLicenseRequest,
        ShareExperimentRequest,
        ShareExperimentResult,
        StartCampaignRequest,
        StartSandboxDemoRequest,
        StartSandboxDemoResult,
        Stats,
        StoredFile,
        StoredFileList,
        SubscribeToPlanRequest,
        SubscribeToPlanResult,
        Suppression,
        SuppressionCheck,
        SuppressionCreate,
        SuppressionList,
        SystemStatus,
        TagCampaignsRequest,
        TagCampaignsResult,
        Task,
        TaskList,
        TaskPatch,
        Team,
        TeamInvitation,
        TeamInvitationCreate,
        TeamInvitationCreated,
        TeamInvitationList,
        TeamMember,
        TeamMemberList,
        TeamMemberPatch,
        TeamPatch,
        TestAccountRequest,
        TestAccountResult,
        TestPlacementSeedResult,
        TestWebhookResult,
        UpsertLeadsRequest,
        UpsertLeadsResult,
        VerifyBackupRequest,
        Webhook,
        WebhookCreate,
        WebhookDelivery,
        WebhookDeliveryList,
        WebhookList,
        WebhookPatch,
        WorkspaceCreate,
        WorkspaceCreated,
        WorkspaceList,
        WorkspacePatch,
    )

__version__ = "1.0.0-rc.1"

Upload: TypeAlias = Union[str, bytes, IO[bytes]]
"""A file. One that is open and cannot seek is sent once, whatever comes of it."""


class Operations:
    """A method for each operation of the API."""

    def _call(
        self,
        method: str,
        path: str,
        *,
        parts: tuple[str, ...] = (),
        query: Mapping[str, object] | None = None,
        body: object = None,
        upload: tuple[Upload, str] | None = None,
        idempotency_key: str | None = None,
        if_match: str | None = None,
        file: bool = False,
    ) -> Any:
        raise NotImplementedError

    def _pages(self, path: str, parts: tuple[str, ...], query: Mapping[str, object]) -> Iterator[Any]:
        raise NotImplementedError

    def list_campaigns(
        self,
        *,
        limit: int | None = None,
        offset: int | None = None,
        after: str | None = None,
        filter: str | None = None,
        sort: str | None = None,
        tag: str | None = None,
        status: CampaignStatus | None = None,
    ) -> CampaignList:
        """List campaigns. `GET /campaigns`"""
        return cast("CampaignList", self._call(
            "GET",
            "/campaigns",
            query={"limit": limit, "offset": offset, "after": after, "filter": filter, "sort": sort, "tag": tag, "status": status},
        ))

    def iter_campaigns(
        self,
        *,
        limit: int | None = None,
        filter: str | None = None,
        sort: str | None = None,
        tag: str | None = None,
        status: CampaignStatus | None = None,
    ) -> Iterator[Campaign]:
        """List campaigns, page after page."""
        return self._pages(
            "/campaigns",
            (),
            {"limit": limit, "filter": filter, "sort": sort, "tag": tag, "status": status},
        )

    def create_campaign(
        self,
        body: CampaignCreate,
        *,
        dry_run: bool | None = None,
        idempotency_key: str | None = None,
    ) -> Campaign:
        """Create a campaign. `POST /campaigns`"""
        return cast("Campaign", self._call(
            "POST",
            "/campaigns",
            query={"dry_run": dry_run},
            body=body,
            idempotency_key=idempotency_key,
        ))

    def get_campaign(self, id: str) -> CampaignDetail:
        """Get a campaign. `GET /campaigns/{id}`"""
        return cast("CampaignDetail", self._call("GET", "/campaigns/{id}", parts=(id,)))

    def patch_campaign(
        self,
        id: str,
        body: CampaignPatch,
        *,
        dry_run: bool | None = None,
        if_match: str | None = None,
    ) -> PatchCampaignResult:
        """Update a campaign. `PATCH /campaigns/{id}`"""
        return cast("PatchCampaignResult", self._call(
            "PATCH",
            "/campaigns/{id}",
            parts=(id,),
            query={"dry_run": dry_run},
            body=body,
            if_match=if_match,
        ))

    def delete_campaign(self, id: str, *, dry_run: bool | None = None) -> None:
        """Delete a campaign. `DELETE /campaigns/{id}`"""
        self._call("DELETE", "/campaigns/{id}", parts=(id,), query={"dry_run": dry_run})

    def restore_campaign(self, id: str, *, idempotency_key: str | None = None) -> Campaign:
        """Restore a campaign. `POST /campaigns/{id}/restore`"""
        return cast("Campaign", self._call(
            "POST",
            "/campaigns/{id}/restore",
            parts=(id,),
            idempotency_key=idempotency_key,
        ))

    def start_campaign(
        self,
        id: str,
        body: StartCampaignRequest | None = None,
        *,
        dry_run: bool | None = None,
        idempotency_key: str | None = None,
    ) -> PatchCampaignResult:
        """Start a campaign. `POST /campaigns/{id}/start`"""
        return cast("PatchCampaignResult", self._call(
            "POST",
            "/campaigns/{id}/start",
            parts=(id,),
            query={"dry_run": dry_run},
            body=body,
            idempotency_key=idempotency_key,
        ))

    def pause_campaign(
        self,
        id: str,
        *,
        dry_run: bool | None = None,
        idempotency_key: str | None = None,
    ) -> PatchCampaignResult:
        """Pause a campaign. `POST /campaigns/{id}/pause`"""
        return cast("PatchCampaignResult", self._call(
            "POST",
            "/campaigns/{id}/pause",
            parts=(id,),
            query={"dry_run": dry_run},
            idempotency_key=idempotency_key,
        ))

    def resume_campaign(
        self,
        id: str,
        *,
        dry_run: bool | None = None,
        idempotency_key: str | None = None,
    ) -> PatchCampaignResult:
        """Resume a campaign. `POST /campaigns/{id}/resume`"""
        return cast("PatchCampaignResult", self._call(
            "POST",
            "/campaigns/{id}/resume",
            parts=(id,),
            query={"dry_run": dry_run},
            idempotency_key=idempotency_key,
        ))

    def archive_campaign(
        self,
        id: str,
        *,
        dry_run: bool | None = None,
        idempotency_key: str | None = None,
    ) -> PatchCampaignResult:
        """Archive a campaign. `POST /campaigns/{id}/archive`"""
        return cast("PatchCampaignResult", self._call(
            "POST",
            "/campaigns/{id}/archive",
            parts=(id,),
            query={"dry_run": dry_run},
            idempotency_key=idempotency_key,
        ))

    def duplicate_campaign(
        self,
        id: str,
        body: DuplicateCampaignRequest | None = None,
        *,
        idempotency_key: str | None = None,
    ) -> Campaign:
        """Duplicate a campaign. `POST /campaigns/{id}/duplicate`"""
        return cast("Campaign", self._call(
            "POST",
            "/campaigns/{id}/duplicate",
            parts=(id,),
            body=body,
            idempotency_key=idempotency_key,
        ))

    def list_campaign_steps(self, id: str) -> CampaignStepList:
        """List steps. `GET /campaigns/{id}/steps`"""
        return cast("CampaignStepList", self._call("GET", "/campaigns/{id}/steps", parts=(id,)))

    def create_campaign_step(
        self,
        id: str,
        body: CampaignStepCreate,
        *,
        dry_run: bool | None = None,
        idempotency_key: str | None = None,
    ) -> CreateCampaignStepResult:
        """Create a step. `POST /campaigns/{id}/steps`"""
        return cast("CreateCampaignStepResult", self._call(
            "POST",
            "/campaigns/{id}/steps",
            parts=(id,),
            query={"dry_run": dry_run},
            body=body,
            idempotency_key=idempotency_key,
        ))

    def get_campaign_step(self, id: str, step_id: str) -> CampaignStep:
        """Get a step. `GET /campaigns/{id}/steps/{stepId}`"""
        return cast("CampaignStep", self._call(
            "GET",
            "/campaigns/{id}/steps/{stepId}",
            parts=(id, step_id),
        ))

    def patch_campaign_step(
        self,
        id: str,
        step_id: str,
        body: CampaignStepPatch,
        *,
        dry_run: bool | None = None,
        if_match: str | None = None,
    ) -> CreateCampaignStepResult:
        """Update a step. `PATCH /campaigns/{id}/steps/{stepId}`"""
        return cast("CreateCampaignStepResult", self._call(
            "PATCH",
            "/campaigns/{id}/steps/{stepId}",
            parts=(id, step_id),
            query={"dry_run": dry_run},
            body=body,
            if_match=if_match,
        ))

    def delete_campaign_step(
        self,
        id: str,
        step_id: str,
        *,
        dry_run: bool | None = None,
    ) -> CreateCampaignStepResult | None:
        """Delete a step. `DELETE /campaigns/{id}/steps/{stepId}`"""
        return cast("CreateCampaignStepResult | None", self._call(
            "DELETE",
            "/campaigns/{id}/steps/{stepId}",
            parts=(id, step_id),
            query={"dry_run": dry_run},
        ))

    def check_campaign_step(
        self,
        id: str,
        step_id: str,
        body: CheckCampaignStepRequest | None = None,
        *,
        idempotency_key: str | None = None,
    ) -> CheckCampaignStepResult:
        """Check a step for spam. `POST /campaigns/{id}/steps/{stepId}/check`"""
        return cast("CheckCampaignStepResult", self._call(
            "POST",
            "/campaigns/{id}/steps/{stepId}/check",
            parts=(id, step_id),
            body=body,
            idempotency_key=idempotency_key,
        ))

    def send_test_campaign_step(
        self,
        id: str,
        step_id: str,
        body: SendTestCampaignStepRequest,
        *,
        idempotency_key: str | None = None,
    ) -> SendTestCampaignStepResult:
        """Send a test email. `POST /campaigns/{id}/steps/{stepId}/send-test`"""
        return cast("SendTestCampaignStepResult", self._call(
            "POST",
            "/campaigns/{id}/steps/{stepId}/send-test",
            parts=(id, step_id),
            body=body,
            idempotency_key=idempotency_key,
        ))

    def list_campaign_leads(
        self,
        id: str,
        *,
        limit: int | None = None,
        offset: int | None = None,
        after: str | None = None,
        status: CampaignLeadStatus | None = None,
        hold_reason: CampaignLeadHoldReason | None = None,
        interest: Interest | None = None,
        response: str | None = None,
        email: str | None = None,
        search: str | None = None,
        filter: str | None = None,
        sort: str | None = None,
    ) -> CampaignLeadList:
        """List leads of a campaign. `GET /campaigns/{id}/leads`"""
        return cast("CampaignLeadList", self._call(
            "GET",
            "/campaigns/{id}/leads",
            parts=(id,),
            query={"limit": limit, "offset": offset, "after": after, "status": status, "hold_reason": hold_reason, "interest": interest, "response": response, "email": email, "search": search, "filter": filter, "sort": sort},
        ))

    def iter_campaign_leads(
        self,
        id: str,
        *,
        limit: int | None = None,
        status: CampaignLeadStatus | None = None,
        hold_reason: CampaignLeadHoldReason | None = None,
        interest: Interest | None = None,
        response: str | None = None,
        email: str | None = None,
        search: str | None = None,
        filter: str | None = None,
        sort: str | None = None,
    ) -> Iterator[CampaignLead]:
        """List leads of a campaign, page after page."""
        return self._pages(
            "/campaigns/{id}/leads",
            (id,),
            {"limit": limit, "status": status, "hold_reason": hold_reason, "interest": interest, "response": response, "email": email, "search": search, "filter": filter, "sort": sort},
        )

    def import_campaign_leads(
        self,
        id: str,
        body: ImportCampaignLeadsRequest,
        *,
        idempotency_key: str | None = None,
    ) -> ImportCampaignLeadsResult:
        """Add leads to a campaign. `POST /campaigns/{id}/leads`"""
        return cast("ImportCampaignLeadsResult", self._call(
            "POST",
            "/campaigns/{id}/leads",
            parts=(id,),
            body=body,
            idempotency_key=idempotency_key,
        ))

    def change_campaign_leads(
        self,
        id: str,
        body: ChangeCampaignLeadsRequest,
        *,
        idempotency_key: str | None = None,
    ) -> ChangeCampaignLeadsResult:
        """Change many leads of a campaign. `POST /campaigns/{id}/leads/bulk`"""
        return cast("ChangeCampaignLeadsResult", self._call(
            "POST",
            "/campaigns/{id}/leads/bulk",
            parts=(id,),
            body=body,
            idempotency_key=idempotency_key,
        ))

    def get_campaign_lead(self, id: str, lead_id: str) -> CampaignLead:
        """Get a lead of a campaign. `GET /campaigns/{id}/leads/{leadId}`"""
        return cast("CampaignLead", self._call(
            "GET",
            "/campaigns/{id}/leads/{leadId}",
            parts=(id, lead_id),
        ))

    def patch_campaign_lead(
        self,
        id: str,
        lead_id: str,
        body: CampaignLeadPatch,
        *,
        dry_run: bool | None = None,
        if_match: str | None = None,
    ) -> CampaignLeadDetail:
        """Update a lead of a campaign. `PATCH /campaigns/{id}/leads/{leadId}`"""
        return cast("CampaignLeadDetail", self._call(
            "PATCH",
            "/campaigns/{id}/leads/{leadId}",
            parts=(id, lead_id),
            query={"dry_run": dry_run},
            body=body,
            if_match=if_match,
        ))

    def delete_campaign_lead(self, id: str, lead_id: str, *, dry_run: bool | None = None) -> None:
        """Remove a lead from a campaign. `DELETE /campaigns/{id}/leads/{leadId}`"""
        self._call(
            "DELETE",
            "/campaigns/{id}/leads/{leadId}",
            parts=(id, lead_id),
            query={"dry_run": dry_run},
        )

    def resolve_campaign_lead(
        self,
        id: str,
        lead_id: str,
        body: ResolveCampaignLeadRequest,
        *,
        dry_run: bool | None = None,
        idempotency_key: str | None = None,
    ) -> CampaignLead:
        """Resolve an unconfirmed email. `POST /campaigns/{id}/leads/{leadId}/resolve`"""
        return cast("CampaignLead", self._call(
            "POST",
            "/campaigns/{id}/leads/{leadId}/resolve",
            parts=(id, lead_id),
            query={"dry_run": dry_run},
            body=body,
            idempotency_key=idempotency_key,
        ))

    def enroll_campaign_leads(
        self,
        id: str,
        body: EnrollCampaignLeadsRequest,
        *,
        idempotency_key: str | None = None,
    ) -> EnrollCampaignLeadsResult:
        """Add leads that a view or filter finds. `POST /campaigns/{id}/leads/enroll`"""
        return cast("EnrollCampaignLeadsResult", self._call(
            "POST",
            "/campaigns/{id}/leads/enroll",
            parts=(id,),
            body=body,
            idempotency_key=idempotency_key,
        ))

    def preview_campaign(
        self,
        id: str,
        body: PreviewCampaignRequest,
        *,
        idempotency_key: str | None = None,
    ) -> PreviewCampaignResult:
        """Preview a step. `POST /campaigns/{id}/preview`"""
        return cast("PreviewCampaignResult", self._call(
            "POST",
            "/campaigns/{id}/preview",
            parts=(id,),
            body=body,
            idempotency_key=idempotency_key,
        ))

    def get_campaign_launch_check(self, id: str) -> CampaignLaunchCheck:
        """Run the launch check. `GET /campaigns/{id}/launch-check`"""
        return cast("CampaignLaunchCheck", self._call(
            "GET",
            "/campaigns/{id}/launch-check",
            parts=(id,),
        ))

    def get_campaign_stats(self, id: str) -> CampaignStats:
        """Get campaign statistics. `GET /campaigns/{id}/stats`"""
        return cast("CampaignStats", self._call("GET", "/campaigns/{id}/stats", parts=(id,)))

    def get_campaign_forecast(
        self,
        id: str,
        *,
        days: int | None = None,
        as_if_started: bool | None = None,
    ) -> CampaignForecast:
        """Forecast a campaign. `GET /campaigns/{id}/forecast`"""
        return cast("CampaignForecast", self._call(
            "GET",
            "/campaigns/{id}/forecast",
            parts=(id,),
            query={"days": days, "as_if_started": as_if_started},
        ))

    def explain_campaign_lead(self, id: str, lead_id: str) -> CampaignLeadExplain:
        """Explain a lead's next email. `GET /campaigns/{id}/leads/{leadId}/explain`"""
        return cast("CampaignLeadExplain", self._call(
            "GET",
            "/campaigns/{id}/leads/{leadId}/explain",
            parts=(id, lead_id),
        ))

    def get_campaign_rehearsal(
        self,
        id: str,
        *,
        days: int | None = None,
        seed: int | None = None,
    ) -> CampaignRehearsal:
        """Rehearse a campaign. `GET /campaigns/{id}/rehearsal`"""
        return cast("CampaignRehearsal", self._call(
            "GET",
            "/campaigns/{id}/rehearsal",
            parts=(id,),
            query={"days": days, "seed": seed},
        ))

    def get_stats(
        self,
        *,
        from_: str | None = None,
        to: str | None = None,
        days: int | None = None,
        timezone: str | None = None,
        campaign_id: str | None = None,
        account_id: str | None = None,
    ) -> Stats:
        """Get statistics by day. `GET /stats`"""
        return cast("Stats", self._call(
            "GET",
            "/stats",
            query={"from": from_, "to": to, "days": days, "timezone": timezone, "campaign_id": campaign_id, "account_id": account_id},
        ))

    def get_attention(self) -> Attention:
        """Get what needs attention. `GET /attention`"""
        return cast("Attention", self._call("GET", "/attention"))

    def list_deleted(
        self,
        *,
        limit: int | None = None,
        offset: int | None = None,
    ) -> DeletedRecordList:
        """List deleted records. `GET /deleted`"""
        return cast("DeletedRecordList", self._call(
            "GET",
            "/deleted",
            query={"limit": limit, "offset": offset},
        ))

    def iter_deleted(self, *, limit: int | None = None) -> Iterator[DeletedRecord]:
        """List deleted records, page after page."""
        return self._pages("/deleted", (), {"limit": limit})

    def purge_deleted(self, id: str) -> None:
        """Purge a deleted record. `DELETE /deleted/{id}`"""
        self._call("DELETE", "/deleted/{id}", parts=(id,))

    def list_duplicate_leads(
        self,
        *,
        limit: int | None = None,
        offset: int | None = None,
    ) -> LeadDuplicateList:
        """List duplicate leads. `GET /leads/duplicates`"""
        return cast("LeadDuplicateList", self._call(
            "GET",
            "/leads/duplicates",
            query={"limit": limit, "offset": offset},
        ))

    def iter_duplicate_leads(self, *, limit: int | None = None) -> Iterator[LeadDuplicate]:
        """List duplicate leads, page after page."""
        return self._pages("/leads/duplicates", (), {"limit": limit})

    def merge_lead(
        self,
        id: str,
        body: MergeLeadRequest,
        *,
        dry_run: bool | None = None,
        idempotency_key: str | None = None,
    ) -> MergeLeadResult:
        """Merge leads. `POST /leads/{id}/merge`"""
        return cast("MergeLeadResult", self._call(
            "POST",
            "/leads/{id}/merge",
            parts=(id,),
            query={"dry_run": dry_run},
            body=body,
            idempotency_key=idempotency_key,
        ))

    def list_leads(
        self,
        *,
        limit: int | None = None,
        offset: int | None = None,
        after: str | None = None,
        filter: str | None = None,
        sort: str | None = None,
        tag: str | None = None,
        email: str | None = None,
        include: Literal["campaign"] | None = None,
        search: str | None = None,
        status: CampaignLeadStatus | None = None,
        interest: Interest | None = None,
    ) -> LeadList:
        """List leads. `GET /leads`"""
        return cast("LeadList", self._call(
            "GET",
            "/leads",
            query={"limit": limit, "offset": offset, "after": after, "filter": filter, "sort": sort, "tag": tag, "email": email, "include": include, "search": search, "status": status, "interest": interest},
        ))

    def iter_leads(
        self,
        *,
        limit: int | None = None,
        filter: str | None = None,
        sort: str | None = None,
        tag: str | None = None,
        email: str | None = None,
        include: Literal["campaign"] | None = None,
        search: str | None = None,
        status: CampaignLeadStatus | None = None,
        interest: Interest | None = None,
    ) -> Iterator[Lead]:
        """List leads, page after page."""
        return self._pages(
            "/leads",
            (),
            {"limit": limit, "filter": filter, "sort": sort, "tag": tag, "email": email, "include": include, "search": search, "status": status, "interest": interest},
        )

    def upsert_leads(
        self,
        body: UpsertLeadsRequest,
        *,
        idempotency_key: str | None = None,
    ) -> UpsertLeadsResult:
        """Create or update leads. `POST /leads`"""
        return cast("UpsertLeadsResult", self._call(
            "POST",
            "/leads",
            body=body,
            idempotency_key=idempotency_key,
        ))

    def get_lead(self, id: str) -> LeadDetail:
        """Get a lead. `GET /leads/{id}`"""
        return cast("LeadDetail", self._call("GET", "/leads/{id}", parts=(id,)))

    def patch_lead(
        self,
        id: str,
        body: LeadPatch,
        *,
        dry_run: bool | None = None,
        if_match: str | None = None,
    ) -> LeadDetail:
        """Update a lead. `PATCH /leads/{id}`"""
        return cast("LeadDetail", self._call(
            "PATCH",
            "/leads/{id}",
            parts=(id,),
            query={"dry_run": dry_run},
            body=body,
            if_match=if_match,
        ))

    def delete_lead(self, id: str) -> None:
        """Erase a lead. `DELETE /leads/{id}`"""
        self._call("DELETE", "/leads/{id}", parts=(id,))

    def list_lead_campaigns(self, id: str) -> LeadCampaignList:
        """List campaigns of a lead. `GET /leads/{id}/campaigns`"""
        return cast("LeadCampaignList", self._call("GET", "/leads/{id}/campaigns", parts=(id,)))

    def list_lead_views(
        self,
        *,
        limit: int | None = None,
        offset: int | None = None,
    ) -> LeadViewList:
        """List lead views. `GET /lead-views`"""
        return cast("LeadViewList", self._call(
            "GET",
            "/lead-views",
            query={"limit": limit, "offset": offset},
        ))

    def iter_lead_views(self, *, limit: int | None = None) -> Iterator[LeadView]:
        """List lead views, page after page."""
        return self._pages("/lead-views", (), {"limit": limit})

    def create_lead_view(
        self,
        body: LeadViewCreate,
        *,
        dry_run: bool | None = None,
        idempotency_key: str | None = None,
    ) -> LeadView:
        """Create a lead view. `POST /lead-views`"""
        return cast("LeadView", self._call(
            "POST",
            "/lead-views",
            query={"dry_run": dry_run},
            body=body,
            idempotency_key=idempotency_key,
        ))

    def get_lead_view(self, id: str) -> LeadView:
        """Get a lead view. `GET /lead-views/{id}`"""
        return cast("LeadView", self._call("GET", "/lead-views/{id}", parts=(id,)))

    def patch_lead_view(
        self,
        id: str,
        body: LeadViewPatch,
        *,
        dry_run: bool | None = None,
        if_match: str | None = None,
    ) -> LeadView:
        """Update a lead view. `PATCH /lead-views/{id}`"""
        return cast("LeadView", self._call(
            "PATCH",
            "/lead-views/{id}",
            parts=(id,),
            query={"dry_run": dry_run},
            body=body,
            if_match=if_match,
        ))

    def delete_lead_view(self, id: str, *, dry_run: bool | None = None) -> None:
        """Delete a lead view. `DELETE /lead-views/{id}`"""
        self._call("DELETE", "/lead-views/{id}", parts=(id,), query={"dry_run": dry_run})

    def list_lead_timeline(self, id: str) -> LeadTimelineList:
        """Get a lead's timeline. `GET /leads/{id}/timeline`"""
        return cast("LeadTimelineList", self._call("GET", "/leads/{id}/timeline", parts=(id,)))

    def list_erasures(
        self,
        *,
        limit: int | None = None,
        offset: int | None = None,
        email: str | None = None,
        lead_id: str | None = None,
    ) -> ErasureList:
        """List erasures. `GET /erasures`"""
        return cast("ErasureList", self._call(
            "GET",
            "/erasures",
            query={"limit": limit, "offset": offset, "email": email, "lead_id": lead_id},
        ))

    def iter_erasures(
        self,
        *,
        limit: int | None = None,
        email: str | None = None,
        lead_id: str | None = None,
    ) -> Iterator[Erasure]:
        """List erasures, page after page."""
        return self._pages("/erasures", (), {"limit": limit, "email": email, "lead_id": lead_id})

    def get_erasure(self, id: str) -> Erasure:
        """Get an erasure. `GET /erasures/{id}`"""
        return cast("Erasure", self._call("GET", "/erasures/{id}", parts=(id,)))

    def import_campaign_file(
        self,
        id: str,
        body: Upload,
        *,
        content_type: str = "text/csv",
        import_id: str | None = None,
        file_name: str | None = None,
        map: str | None = None,
        delimiter: ImportDelimiter | None = None,
        dry_run: bool | None = None,
        existing: ImportExisting | None = None,
        skip_if_in_other_campaign: bool | None = None,
        idempotency_key: str | None = None,
    ) -> ImportCampaignFileResult:
        """Import a file. `POST /campaigns/{id}/leads/import`"""
        return cast("ImportCampaignFileResult", self._call(
            "POST",
            "/campaigns/{id}/leads/import",
            parts=(id,),
            query={"import_id": import_id, "file_name": file_name, "map": map, "delimiter": delimiter, "dry_run": dry_run, "existing": existing, "skip_if_in_other_campaign": skip_if_in_other_campaign},
            upload=(body, content_type),
            idempotency_key=idempotency_key,
        ))

    def list_imports(
        self,
        *,
        limit: int | None = None,
        offset: int | None = None,
        after: str | None = None,
        campaign_id: str | None = None,
        kind: ImportKind | None = None,
        status: ImportStatus | None = None,
        filter: str | None = None,
        sort: str | None = None,
    ) -> ImportList:
        """List imports. `GET /imports`"""
        return cast("ImportList", self._call(
            "GET",
            "/imports",
            query={"limit": limit, "offset": offset, "after": after, "campaign_id": campaign_id, "kind": kind, "status": status, "filter": filter, "sort": sort},
        ))

    def iter_imports(
        self,
        *,
        limit: int | None = None,
        campaign_id: str | None = None,
        kind: ImportKind | None = None,
        status: ImportStatus | None = None,
        filter: str | None = None,
        sort: str | None = None,
    ) -> Iterator[Import]:
        """List imports, page after page."""
        return self._pages(
            "/imports",
            (),
            {"limit": limit, "campaign_id": campaign_id, "kind": kind, "status": status, "filter": filter, "sort": sort},
        )

    def preview_import(
        self,
        body: Upload,
        *,
        content_type: str = "text/csv",
        map: str | None = None,
        delimiter: ImportDelimiter | None = None,
        kind: ImportKind | None = None,
        idempotency_key: str | None = None,
    ) -> PreviewImportResult:
        """Preview an import. `POST /imports/preview`"""
        return cast("PreviewImportResult", self._call(
            "POST",
            "/imports/preview",
            query={"map": map, "delimiter": delimiter, "kind": kind},
            upload=(body, content_type),
            idempotency_key=idempotency_key,
        ))

    def get_import(self, id: str) -> Import:
        """Get an import. `GET /imports/{id}`"""
        return cast("Import", self._call("GET", "/imports/{id}", parts=(id,)))

    def stream_import(self, id: str) -> HTTPResponse:
        """Stream an import's progress. `GET /imports/{id}/stream`"""
        return cast("HTTPResponse", self._call(
            "GET",
            "/imports/{id}/stream",
            parts=(id,),
            file=True,
        ))

    def download_import_lines(
        self,
        id: str,
        *,
        format: ImportLineFormat | None = None,
        outcome: str | None = None,
    ) -> HTTPResponse:
        """Download an import's lines. `GET /imports/{id}/lines`"""
        return cast("HTTPResponse", self._call(
            "GET",
            "/imports/{id}/lines",
            parts=(id,),
            query={"format": format, "outcome": outcome},
            file=True,
        ))

    def get_import_not_restored(
        self,
        id: str,
        *,
        format: ImportLineFormat | None = None,
    ) -> HTTPResponse:
        """Download what an undo left. `GET /imports/{id}/not-restored`"""
        return cast("HTTPResponse", self._call(
            "GET",
            "/imports/{id}/not-restored",
            parts=(id,),
            query={"format": format},
            file=True,
        ))

    def resume_import(
        self,
        id: str,
        body: Upload,
        *,
        offset: int,
        content_type: str = "text/csv",
        idempotency_key: str | None = None,
    ) -> ImportCampaignFileResult:
        """Resume an import. `POST /imports/{id}/resume`"""
        return cast("ImportCampaignFileResult", self._call(
            "POST",
            "/imports/{id}/resume",
            parts=(id,),
            query={"offset": offset},
            upload=(body, content_type),
            idempotency_key=idempotency_key,
        ))

    def cancel_import(self, id: str, *, idempotency_key: str | None = None) -> Import:
        """Cancel an import. `POST /imports/{id}/cancel`"""
        return cast("Import", self._call(
            "POST",
            "/imports/{id}/cancel",
            parts=(id,),
            idempotency_key=idempotency_key,
        ))

    def undo_import(self, id: str, *, idempotency_key: str | None = None) -> Import:
        """Undo an import. `POST /imports/{id}/undo`"""
        return cast("Import", self._call(
            "POST",
            "/imports/{id}/undo",
            parts=(id,),
            idempotency_key=idempotency_key,
        ))

    def export_leads(
        self,
        *,
        format: ImportLineFormat | None = None,
        campaign_id: str | None = None,
    ) -> HTTPResponse:
        """Export leads. `GET /exports/leads`"""
        return cast("HTTPResponse", self._call(
            "GET",
            "/exports/leads",
            query={"format": format, "campaign_id": campaign_id},
            file=True,
        ))

    def export_messages(
        self,
        *,
        format: ImportLineFormat | None = None,
        campaign_id: str | None = None,
        from_: str | None = None,
        until: str | None = None,
    ) -> HTTPResponse:
        """Export messages. `GET /exports/messages`"""
        return cast("HTTPResponse", self._call(
            "GET",
            "/exports/messages",
            query={"format": format, "campaign_id": campaign_id, "from": from_, "until": until},
            file=True,
        ))

    def export_events(self, *, format: ImportLineFormat | None = None) -> HTTPResponse:
        """Export events. `GET /exports/events`"""
        return cast("HTTPResponse", self._call(
            "GET",
            "/exports/events",
            query={"format": format},
            file=True,
        ))

    def export_results(
        self,
        *,
        format: ImportLineFormat | None = None,
        campaign_id: str | None = None,
    ) -> HTTPResponse:
        """Export step results. `GET /exports/results`"""
        return cast("HTTPResponse", self._call(
            "GET",
            "/exports/results",
            query={"format": format, "campaign_id": campaign_id},
            file=True,
        ))

    def list_tasks(
        self,
        *,
        limit: int | None = None,
        offset: int | None = None,
        after: str | None = None,
        done: bool | None = None,
        campaign_id: str | None = None,
        filter: str | None = None,
        sort: str | None = None,
    ) -> TaskList:
        """List tasks. `GET /tasks`"""
        return cast("TaskList", self._call(
            "GET",
            "/tasks",
            query={"limit": limit, "offset": offset, "after": after, "done": done, "campaign_id": campaign_id, "filter": filter, "sort": sort},
        ))

    def iter_tasks(
        self,
        *,
        limit: int | None = None,
        done: bool | None = None,
        campaign_id: str | None = None,
        filter: str | None = None,
        sort: str | None = None,
    ) -> Iterator[Task]:
        """List tasks, page after page."""
        return self._pages(
            "/tasks",
            (),
            {"limit": limit, "done": done, "campaign_id": campaign_id, "filter": filter, "sort": sort},
        )

    def get_task(self, id: str) -> Task:
        """Get a task. `GET /tasks/{id}`"""
        return cast("Task", self._call("GET", "/tasks/{id}", parts=(id,)))

    def patch_task(
        self,
        id: str,
        body: TaskPatch,
        *,
        dry_run: bool | None = None,
        if_match: str | None = None,
    ) -> Task:
        """Update a task. `PATCH /tasks/{id}`"""
        return cast("Task", self._call(
            "PATCH",
            "/tasks/{id}",
            parts=(id,),
            query={"dry_run": dry_run},
            body=body,
            if_match=if_match,
        ))

    def list_accounts(
        self,
        *,
        limit: int | None = None,
        offset: int | None = None,
        after: str | None = None,
        filter: str | None = None,
        sort: str | None = None,
        tag: str | None = None,
    ) -> AccountList:
        """List accounts. `GET /accounts`"""
        return cast("AccountList", self._call(
            "GET",
            "/accounts",
            query={"limit": limit, "offset": offset, "after": after, "filter": filter, "sort": sort, "tag": tag},
        ))

    def iter_accounts(
        self,
        *,
        limit: int | None = None,
        filter: str | None = None,
        sort: str | None = None,
        tag: str | None = None,
    ) -> Iterator[Account]:
        """List accounts, page after page."""
        return self._pages(
            "/accounts",
            (),
            {"limit": limit, "filter": filter, "sort": sort, "tag": tag},
        )

    def create_account(
        self,
        body: AccountCreate,
        *,
        dry_run: bool | None = None,
        idempotency_key: str | None = None,
    ) -> AccountCreated:
        """Create an account. `POST /accounts`"""
        return cast("AccountCreated", self._call(
            "POST",
            "/accounts",
            query={"dry_run": dry_run},
            body=body,
            idempotency_key=idempotency_key,
        ))

    def get_account(self, id: str) -> AccountDetail:
        """Get an account. `GET /accounts/{id}`"""
        return cast("AccountDetail", self._call("GET", "/accounts/{id}", parts=(id,)))

    def patch_account(
        self,
        id: str,
        body: AccountPatch,
        *,
        dry_run: bool | None = None,
        if_match: str | None = None,
    ) -> AccountCreated:
        """Update an account. `PATCH /accounts/{id}`"""
        return cast("AccountCreated", self._call(
            "PATCH",
            "/accounts/{id}",
            parts=(id,),
            query={"dry_run": dry_run},
            body=body,
            if_match=if_match,
        ))

    def delete_account(self, id: str) -> None:
        """Delete an account. `DELETE /accounts/{id}`"""
        self._call("DELETE", "/accounts/{id}", parts=(id,))

    def restore_account(self, id: str, *, idempotency_key: str | None = None) -> AccountDetail:
        """Restore an account. `POST /accounts/{id}/restore`"""
        return cast("AccountDetail", self._call(
            "POST",
            "/accounts/{id}/restore",
            parts=(id,),
            idempotency_key=idempotency_key,
        ))

    def connect_account(
        self,
        id: str,
        *,
        dry_run: bool | None = None,
        idempotency_key: str | None = None,
    ) -> ConnectAccountResult:
        """Start an OAuth connection. `POST /accounts/{id}/connect`"""
        return cast("ConnectAccountResult", self._call(
            "POST",
            "/accounts/{id}/connect",
            parts=(id,),
            query={"dry_run": dry_run},
            idempotency_key=idempotency_key,
        ))

    def test_account(
        self,
        id: str,
        body: TestAccountRequest | None = None,
        *,
        idempotency_key: str | None = None,
    ) -> TestAccountResult:
        """Test an account. `POST /accounts/{id}/test`"""
        return cast("TestAccountResult", self._call(
            "POST",
            "/accounts/{id}/test",
            parts=(id,),
            body=body,
            idempotency_key=idempotency_key,
        ))

    def get_account_dns(self, id: str, *, selector: str | None = None) -> AccountDns:
        """Check an account's DNS. `GET /accounts/{id}/dns`"""
        return cast("AccountDns", self._call(
            "GET",
            "/accounts/{id}/dns",
            parts=(id,),
            query={"selector": selector},
        ))

    def get_account_dkim(self, id: str) -> AccountDkim:
        """Get the DKIM key. `GET /accounts/{id}/dkim`"""
        return cast("AccountDkim", self._call("GET", "/accounts/{id}/dkim", parts=(id,)))

    def set_account_dkim(
        self,
        id: str,
        body: SetAccountDkimRequest,
        *,
        idempotency_key: str | None = None,
    ) -> AccountDkim:
        """Create a DKIM key. `POST /accounts/{id}/dkim`"""
        return cast("AccountDkim", self._call(
            "POST",
            "/accounts/{id}/dkim",
            parts=(id,),
            body=body,
            idempotency_key=idempotency_key,
        ))

    def delete_account_dkim(self, id: str) -> None:
        """Delete the DKIM key. `DELETE /accounts/{id}/dkim`"""
        self._call("DELETE", "/accounts/{id}/dkim", parts=(id,))

    def list_domains(self, *, limit: int | None = None, offset: int | None = None) -> DomainList:
        """List domains. `GET /domains`"""
        return cast("DomainList", self._call(
            "GET",
            "/domains",
            query={"limit": limit, "offset": offset},
        ))

    def iter_domains(self, *, limit: int | None = None) -> Iterator[Domain]:
        """List domains, page after page."""
        return self._pages("/domains", (), {"limit": limit})

    def get_domain(self, domain: str) -> DomainDetail:
        """Get a domain. `GET /domains/{domain}`"""
        return cast("DomainDetail", self._call("GET", "/domains/{domain}", parts=(domain,)))

    def get_domain_senders(self, domain: str) -> DomainSenders:
        """Get who sends as a domain. `GET /domains/{domain}/senders`"""
        return cast("DomainSenders", self._call(
            "GET",
            "/domains/{domain}/senders",
            parts=(domain,),
        ))

    def check_domain(
        self,
        domain: str,
        *,
        dry_run: bool | None = None,
        idempotency_key: str | None = None,
    ) -> DomainDetail:
        """Check a domain now. `POST /domains/{domain}/check`"""
        return cast("DomainDetail", self._call(
            "POST",
            "/domains/{domain}/check",
            parts=(domain,),
            query={"dry_run": dry_run},
            idempotency_key=idempotency_key,
        ))

    def list_account_activity(self, *, hours: int | None = None) -> AccountActivityList:
        """List account activity. `GET /accounts/activity`"""
        return cast("AccountActivityList", self._call(
            "GET",
            "/accounts/activity",
            query={"hours": hours},
        ))

    def list_account_providers(
        self,
        *,
        account_id: str | None = None,
        provider: SeedProvider | None = None,
        from_: str | None = None,
        to: str | None = None,
    ) -> ProviderFiguresList:
        """List recipient providers. `GET /accounts/providers`"""
        return cast("ProviderFiguresList", self._call(
            "GET",
            "/accounts/providers",
            query={"account_id": account_id, "provider": provider, "from": from_, "to": to},
        ))

    def get_account_health(self, id: str, *, days: int | None = None) -> AccountHealth:
        """Get an account's health. `GET /accounts/{id}/health`"""
        return cast("AccountHealth", self._call(
            "GET",
            "/accounts/{id}/health",
            parts=(id,),
            query={"days": days},
        ))

    def get_account_usage(self, id: str) -> AccountUsage:
        """Get an account's usage. `GET /accounts/{id}/usage`"""
        return cast("AccountUsage", self._call("GET", "/accounts/{id}/usage", parts=(id,)))

    def change_accounts(
        self,
        body: ChangeAccountsRequest,
        *,
        idempotency_key: str | None = None,
    ) -> ChangeAccountsResult:
        """Change many accounts. `POST /accounts/bulk`"""
        return cast("ChangeAccountsResult", self._call(
            "POST",
            "/accounts/bulk",
            body=body,
            idempotency_key=idempotency_key,
        ))

    def import_accounts(
        self,
        body: Upload,
        *,
        content_type: str = "text/csv",
        idempotency_key: str | None = None,
    ) -> ImportAccountsResult:
        """Import accounts. `POST /accounts/import`"""
        return cast("ImportAccountsResult", self._call(
            "POST",
            "/accounts/import",
            upload=(body, content_type),
            idempotency_key=idempotency_key,
        ))

    def list_workspaces(self) -> WorkspaceList:
        """List workspaces. `GET /workspaces`"""
        return cast("WorkspaceList", self._call("GET", "/workspaces"))

    def create_workspace(
        self,
        body: WorkspaceCreate,
        *,
        dry_run: bool | None = None,
        idempotency_key: str | None = None,
    ) -> WorkspaceCreated:
        """Create a workspace. `POST /workspaces`"""
        return cast("WorkspaceCreated", self._call(
            "POST",
            "/workspaces",
            query={"dry_run": dry_run},
            body=body,
            idempotency_key=idempotency_key,
        ))

    def get_workspace(self, id: str) -> WorkspaceCreated:
        """Get a workspace. `GET /workspaces/{id}`"""
        return cast("WorkspaceCreated", self._call("GET", "/workspaces/{id}", parts=(id,)))

    def patch_workspace(
        self,
        id: str,
        body: WorkspacePatch,
        *,
        dry_run: bool | None = None,
        if_match: str | None = None,
    ) -> WorkspaceCreated:
        """Update a workspace. `PATCH /workspaces/{id}`"""
        return cast("WorkspaceCreated", self._call(
            "PATCH",
            "/workspaces/{id}",
            parts=(id,),
            query={"dry_run": dry_run},
            body=body,
            if_match=if_match,
        ))

    def delete_workspace(self, id: str, *, dry_run: bool | None = None) -> None:
        """Delete a workspace. `DELETE /workspaces/{id}`"""
        self._call("DELETE", "/workspaces/{id}", parts=(id,), query={"dry_run": dry_run})

    def check_workspace(self, id: str, *, idempotency_key: str | None = None) -> WorkspaceCreated:
        """Check a workspace. `POST /workspaces/{id}/check`"""
        return cast("WorkspaceCreated", self._call(
            "POST",
            "/workspaces/{id}/check",
            parts=(id,),
            idempotency_key=idempotency_key,
        ))

    def connect_workspace_accounts(
        self,
        id: str,
        body: ConnectWorkspaceAccountsRequest,
        *,
        idempotency_key: str | None = None,
    ) -> ConnectWorkspaceAccountsResult:
        """Connect mailboxes of a workspace. `POST /workspaces/{id}/accounts`"""
        return cast("ConnectWorkspaceAccountsResult", self._call(
            "POST",
            "/workspaces/{id}/accounts",
            parts=(id,),
            body=body,
            idempotency_key=idempotency_key,
        ))

    def list_suppressions(
        self,
        *,
        limit: int | None = None,
        offset: int | None = None,
        after: str | None = None,
        reason: ImportReason | None = None,
        email: str | None = None,
        filter: str | None = None,
        sort: str | None = None,
    ) -> SuppressionList:
        """List suppressions. `GET /suppressions`"""
        return cast("SuppressionList", self._call(
            "GET",
            "/suppressions",
            query={"limit": limit, "offset": offset, "after": after, "reason": reason, "email": email, "filter": filter, "sort": sort},
        ))

    def iter_suppressions(
        self,
        *,
        limit: int | None = None,
        reason: ImportReason | None = None,
        email: str | None = None,
        filter: str | None = None,
        sort: str | None = None,
    ) -> Iterator[Suppression]:
        """List suppressions, page after page."""
        return self._pages(
            "/suppressions",
            (),
            {"limit": limit, "reason": reason, "email": email, "filter": filter, "sort": sort},
        )

    def create_suppression(
        self,
        body: SuppressionCreate,
        *,
        dry_run: bool | None = None,
        idempotency_key: str | None = None,
    ) -> CreateSuppressionResult:
        """Create a suppression. `POST /suppressions`"""
        return cast("CreateSuppressionResult", self._call(
            "POST",
            "/suppressions",
            query={"dry_run": dry_run},
            body=body,
            idempotency_key=idempotency_key,
        ))

    def check_suppression(self, *, email: str) -> SuppressionCheck:
        """Check an address. `GET /suppressions/check`"""
        return cast("SuppressionCheck", self._call(
            "GET",
            "/suppressions/check",
            query={"email": email},
        ))

    def get_suppression(self, id: str) -> Suppression:
        """Get a suppression. `GET /suppressions/{id}`"""
        return cast("Suppression", self._call("GET", "/suppressions/{id}", parts=(id,)))

    def delete_suppression(
        self,
        id: str,
        *,
        reason: str | None = None,
        resume: bool | None = None,
    ) -> None:
        """Delete a suppression. `DELETE /suppressions/{id}`"""
        self._call(
            "DELETE",
            "/suppressions/{id}",
            parts=(id,),
            query={"reason": reason, "resume": resume},
        )

    def import_suppressions(
        self,
        body: Upload,
        *,
        content_type: str = "text/csv",
        import_id: str | None = None,
        file_name: str | None = None,
        map: str | None = None,
        delimiter: ImportDelimiter | None = None,
        dry_run: bool | None = None,
        reason: ImportReason | None = None,
        idempotency_key: str | None = None,
    ) -> Import:
        """Import suppressions. `POST /suppressions/import`"""
        return cast("Import", self._call(
            "POST",
            "/suppressions/import",
            query={"import_id": import_id, "file_name": file_name, "map": map, "delimiter": delimiter, "dry_run": dry_run, "reason": reason},
            upload=(body, content_type),
            idempotency_key=idempotency_key,
        ))

    def list_campaign_tags(self, *, ids: str | None = None) -> CampaignTagList:
        """List tags of campaigns. `GET /campaigns/tags`"""
        return cast("CampaignTagList", self._call("GET", "/campaigns/tags", query={"ids": ids}))

    def tag_campaigns(
        self,
        body: TagCampaignsRequest,
        *,
        idempotency_key: str | None = None,
    ) -> TagCampaignsResult:
        """Tag campaigns. `POST /campaigns/tags`"""
        return cast("TagCampaignsResult", self._call(
            "POST",
            "/campaigns/tags",
            body=body,
            idempotency_key=idempotency_key,
        ))

    def list_lead_tags(self, *, ids: str | None = None) -> CampaignTagList:
        """List tags of leads. `GET /leads/tags`"""
        return cast("CampaignTagList", self._call("GET", "/leads/tags", query={"ids": ids}))

    def tag_leads(
        self,
        body: TagCampaignsRequest,
        *,
        idempotency_key: str | None = None,
    ) -> TagCampaignsResult:
        """Tag leads. `POST /leads/tags`"""
        return cast("TagCampaignsResult", self._call(
            "POST",
            "/leads/tags",
            body=body,
            idempotency_key=idempotency_key,
        ))

    def list_account_tags(self, *, ids: str | None = None) -> CampaignTagList:
        """List tags of accounts. `GET /accounts/tags`"""
        return cast("CampaignTagList", self._call("GET", "/accounts/tags", query={"ids": ids}))

    def tag_accounts(
        self,
        body: TagCampaignsRequest,
        *,
        idempotency_key: str | None = None,
    ) -> TagCampaignsResult:
        """Tag accounts. `POST /accounts/tags`"""
        return cast("TagCampaignsResult", self._call(
            "POST",
            "/accounts/tags",
            body=body,
            idempotency_key=idempotency_key,
        ))

    def list_inbox_thread_tags(self, *, ids: str | None = None) -> CampaignTagList:
        """List tags of conversations. `GET /inbox/threads/tags`"""
        return cast("CampaignTagList", self._call("GET", "/inbox/threads/tags", query={"ids": ids}))

    def tag_inbox_threads(
        self,
        body: TagCampaignsRequest,
        *,
        idempotency_key: str | None = None,
    ) -> TagCampaignsResult:
        """Tag conversations. `POST /inbox/threads/tags`"""
        return cast("TagCampaignsResult", self._call(
            "POST",
            "/inbox/threads/tags",
            body=body,
            idempotency_key=idempotency_key,
        ))

    def list_experiments(
        self,
        *,
        campaign_id: str | None = None,
        status: ExperimentStatus | None = None,
        limit: int | None = None,
        offset: int | None = None,
    ) -> list[Experiment]:
        """List experiments. `GET /experiments`"""
        return cast("list[Experiment]", self._call(
            "GET",
            "/experiments",
            query={"campaign_id": campaign_id, "status": status, "limit": limit, "offset": offset},
        ))

    def iter_experiments(
        self,
        *,
        campaign_id: str | None = None,
        status: ExperimentStatus | None = None,
        limit: int | None = None,
    ) -> Iterator[Experiment]:
        """List experiments, page after page."""
        return self._pages(
            "/experiments",
            (),
            {"campaign_id": campaign_id, "status": status, "limit": limit},
        )

    def create_experiment(
        self,
        body: ExperimentCreate,
        *,
        dry_run: bool | None = None,
        idempotency_key: str | None = None,
    ) -> Experiment:
        """Create an experiment. `POST /experiments`"""
        return cast("Experiment", self._call(
            "POST",
            "/experiments",
            query={"dry_run": dry_run},
            body=body,
            idempotency_key=idempotency_key,
        ))

    def get_experiment_plan(
        self,
        *,
        campaign_id: str | None = None,
        step_position: int | None = None,
        leads: int | None = None,
        leads_per_day: int | None = None,
        baseline: float | None = None,
        variants: int | None = None,
        duration_days: int | None = None,
        attribution_window_days: int | None = None,
    ) -> ExperimentPlan:
        """Plan an experiment. `GET /experiments/plan`"""
        return cast("ExperimentPlan", self._call(
            "GET",
            "/experiments/plan",
            query={"campaign_id": campaign_id, "step_position": step_position, "leads": leads, "leads_per_day": leads_per_day, "baseline": baseline, "variants": variants, "duration_days": duration_days, "attribution_window_days": attribution_window_days},
        ))

    def get_experiment(self, id: str) -> ExperimentDetail:
        """Get an experiment. `GET /experiments/{id}`"""
        return cast("ExperimentDetail", self._call("GET", "/experiments/{id}", parts=(id,)))

    def patch_experiment(
        self,
        id: str,
        body: ExperimentPatch,
        *,
        dry_run: bool | None = None,
        if_match: str | None = None,
    ) -> ExperimentDetail:
        """Update an experiment. `PATCH /experiments/{id}`"""
        return cast("ExperimentDetail", self._call(
            "PATCH",
            "/experiments/{id}",
            parts=(id,),
            query={"dry_run": dry_run},
            body=body,
            if_match=if_match,
        ))

    def get_experiment_results(
        self,
        id: str,
        *,
        segment_by: str | None = None,
        cost_per_lead: float | None = None,
    ) -> ExperimentResult:
        """Get an experiment's results. `GET /experiments/{id}/results`"""
        return cast("ExperimentResult", self._call(
            "GET",
            "/experiments/{id}/results",
            parts=(id,),
            query={"segment_by": segment_by, "cost_per_lead": cost_per_lead},
        ))

    def get_experiment_history(self, id: str) -> ExperimentHistory:
        """Get an experiment's history. `GET /experiments/{id}/history`"""
        return cast("ExperimentHistory", self._call(
            "GET",
            "/experiments/{id}/history",
            parts=(id,),
        ))

    def pause_experiment(
        self,
        id: str,
        *,
        dry_run: bool | None = None,
        idempotency_key: str | None = None,
    ) -> Experiment:
        """Pause an experiment. `POST /experiments/{id}/pause`"""
        return cast("Experiment", self._call(
            "POST",
            "/experiments/{id}/pause",
            parts=(id,),
            query={"dry_run": dry_run},
            idempotency_key=idempotency_key,
        ))

    def resume_experiment(
        self,
        id: str,
        *,
        dry_run: bool | None = None,
        idempotency_key: str | None = None,
    ) -> Experiment:
        """Resume an experiment. `POST /experiments/{id}/resume`"""
        return cast("Experiment", self._call(
            "POST",
            "/experiments/{id}/resume",
            parts=(id,),
            query={"dry_run": dry_run},
            idempotency_key=idempotency_key,
        ))

    def cancel_experiment(
        self,
        id: str,
        *,
        dry_run: bool | None = None,
        idempotency_key: str | None = None,
    ) -> Experiment:
        """Cancel an experiment. `POST /experiments/{id}/cancel`"""
        return cast("Experiment", self._call(
            "POST",
            "/experiments/{id}/cancel",
            parts=(id,),
            query={"dry_run": dry_run},
            idempotency_key=idempotency_key,
        ))

    def complete_experiment(
        self,
        id: str,
        body: CompleteExperimentRequest | None = None,
        *,
        dry_run: bool | None = None,
        idempotency_key: str | None = None,
    ) -> Experiment:
        """Complete an experiment. `POST /experiments/{id}/complete`"""
        return cast("Experiment", self._call(
            "POST",
            "/experiments/{id}/complete",
            parts=(id,),
            query={"dry_run": dry_run},
            body=body,
            idempotency_key=idempotency_key,
        ))

    def apply_experiment_winner(
        self,
        id: str,
        *,
        dry_run: bool | None = None,
        idempotency_key: str | None = None,
    ) -> Experiment:
        """Apply the winner. `POST /experiments/{id}/apply-winner`"""
        return cast("Experiment", self._call(
            "POST",
            "/experiments/{id}/apply-winner",
            parts=(id,),
            query={"dry_run": dry_run},
            idempotency_key=idempotency_key,
        ))

    def share_experiment(
        self,
        id: str,
        body: ShareExperimentRequest | None = None,
        *,
        dry_run: bool | None = None,
        idempotency_key: str | None = None,
    ) -> ShareExperimentResult:
        """Share an experiment's report. `POST /experiments/{id}/share`"""
        return cast("ShareExperimentResult", self._call(
            "POST",
            "/experiments/{id}/share",
            parts=(id,),
            query={"dry_run": dry_run},
            body=body,
            idempotency_key=idempotency_key,
        ))

    def unshare_experiment(self, id: str, *, dry_run: bool | None = None) -> None:
        """Revoke the link to an experiment's report. `DELETE /experiments/{id}/share`"""
        self._call("DELETE", "/experiments/{id}/share", parts=(id,), query={"dry_run": dry_run})

    def list_inbox_threads(
        self,
        *,
        limit: int | None = None,
        offset: int | None = None,
        after: str | None = None,
        unread: bool | None = None,
        kind: ReceivedKind | None = None,
        interest: Interest | None = None,
        folder: InboxThreadFolder | None = None,
        done: bool | None = None,
        assignee_id: str | None = None,
        mentions: str | None = None,
        tag: str | None = None,
        campaign_id: str | None = None,
        account_id: str | None = None,
        search: str | None = None,
        filter: str | None = None,
        sort: str | None = None,
    ) -> InboxThreadList:
        """List conversations. `GET /inbox/threads`"""
        return cast("InboxThreadList", self._call(
            "GET",
            "/inbox/threads",
            query={"limit": limit, "offset": offset, "after": after, "unread": unread, "kind": kind, "interest": interest, "folder": folder, "done": done, "assignee_id": assignee_id, "mentions": mentions, "tag": tag, "campaign_id": campaign_id, "account_id": account_id, "search": search, "filter": filter, "sort": sort},
        ))

    def iter_inbox_threads(
        self,
        *,
        limit: int | None = None,
        unread: bool | None = None,
        kind: ReceivedKind | None = None,
        interest: Interest | None = None,
        folder: InboxThreadFolder | None = None,
        done: bool | None = None,
        assignee_id: str | None = None,
        mentions: str | None = None,
        tag: str | None = None,
        campaign_id: str | None = None,
        account_id: str | None = None,
        search: str | None = None,
        filter: str | None = None,
        sort: str | None = None,
    ) -> Iterator[InboxThread]:
        """List conversations, page after page."""
        return self._pages(
            "/inbox/threads",
            (),
            {"limit": limit, "unread": unread, "kind": kind, "interest": interest, "folder": folder, "done": done, "assignee_id": assignee_id, "mentions": mentions, "tag": tag, "campaign_id": campaign_id, "account_id": account_id, "search": search, "filter": filter, "sort": sort},
        )

    def get_inbox_thread(self, id: str) -> InboxThreadDetail:
        """Get a conversation. `GET /inbox/threads/{id}`"""
        return cast("InboxThreadDetail", self._call("GET", "/inbox/threads/{id}", parts=(id,)))

    def patch_inbox_thread(
        self,
        id: str,
        body: InboxThreadPatch,
        *,
        dry_run: bool | None = None,
        if_match: str | None = None,
    ) -> InboxThread:
        """Update a conversation. `PATCH /inbox/threads/{id}`"""
        return cast("InboxThread", self._call(
            "PATCH",
            "/inbox/threads/{id}",
            parts=(id,),
            query={"dry_run": dry_run},
            body=body,
            if_match=if_match,
        ))

    def reply_to_inbox_thread(
        self,
        id: str,
        body: ReplyToInboxThreadRequest,
        *,
        dry_run: bool | None = None,
        idempotency_key: str | None = None,
    ) -> InboxThreadReply:
        """Reply to a conversation. `POST /inbox/threads/{id}/reply`"""
        return cast("InboxThreadReply", self._call(
            "POST",
            "/inbox/threads/{id}/reply",
            parts=(id,),
            query={"dry_run": dry_run},
            body=body,
            idempotency_key=idempotency_key,
        ))

    def forward_inbox_thread(
        self,
        id: str,
        body: ForwardInboxThreadRequest,
        *,
        dry_run: bool | None = None,
        idempotency_key: str | None = None,
    ) -> InboxThreadReply:
        """Forward a message. `POST /inbox/threads/{id}/forward`"""
        return cast("InboxThreadReply", self._call(
            "POST",
            "/inbox/threads/{id}/forward",
            parts=(id,),
            query={"dry_run": dry_run},
            body=body,
            idempotency_key=idempotency_key,
        ))

    def attach_inbox_thread(
        self,
        id: str,
        body: AttachInboxThreadRequest,
        *,
        dry_run: bool | None = None,
        idempotency_key: str | None = None,
    ) -> InboxThread:
        """Attach a conversation to a lead. `POST /inbox/threads/{id}/attach`"""
        return cast("InboxThread", self._call(
            "POST",
            "/inbox/threads/{id}/attach",
            parts=(id,),
            query={"dry_run": dry_run},
            body=body,
            idempotency_key=idempotency_key,
        ))

    def list_inbox_folders(self) -> InboxFolderList:
        """List folders. `GET /inbox/folders`"""
        return cast("InboxFolderList", self._call("GET", "/inbox/folders"))

    def get_message(self, id: str) -> InboxThreadReply:
        """Get a message. `GET /messages/{id}`"""
        return cast("InboxThreadReply", self._call("GET", "/messages/{id}", parts=(id,)))

    def patch_message(
        self,
        id: str,
        body: MessagePatch,
        *,
        dry_run: bool | None = None,
        if_match: str | None = None,
    ) -> InboxThreadReply:
        """Update a message. `PATCH /messages/{id}`"""
        return cast("InboxThreadReply", self._call(
            "PATCH",
            "/messages/{id}",
            parts=(id,),
            query={"dry_run": dry_run},
            body=body,
            if_match=if_match,
        ))

    def resolve_message(
        self,
        id: str,
        body: ResolveMessageRequest,
        *,
        dry_run: bool | None = None,
        idempotency_key: str | None = None,
    ) -> InboxThreadReply:
        """Resolve an unconfirmed message. `POST /messages/{id}/resolve`"""
        return cast("InboxThreadReply", self._call(
            "POST",
            "/messages/{id}/resolve",
            parts=(id,),
            query={"dry_run": dry_run},
            body=body,
            idempotency_key=idempotency_key,
        ))

    def get_message_raw(self, id: str) -> HTTPResponse:
        """Download a message. `GET /messages/{id}/raw`"""
        return cast("HTTPResponse", self._call("GET", "/messages/{id}/raw", parts=(id,), file=True))

    def list_canned_replies(
        self,
        *,
        limit: int | None = None,
        offset: int | None = None,
        thread_id: str | None = None,
    ) -> CannedReplyList:
        """List canned replies. `GET /canned-replies`"""
        return cast("CannedReplyList", self._call(
            "GET",
            "/canned-replies",
            query={"limit": limit, "offset": offset, "thread_id": thread_id},
        ))

    def iter_canned_replies(
        self,
        *,
        limit: int | None = None,
        thread_id: str | None = None,
    ) -> Iterator[CannedReply]:
        """List canned replies, page after page."""
        return self._pages("/canned-replies", (), {"limit": limit, "thread_id": thread_id})

    def create_canned_reply(
        self,
        body: CannedReplyCreate,
        *,
        dry_run: bool | None = None,
        idempotency_key: str | None = None,
    ) -> CannedReplyCreated:
        """Create a canned reply. `POST /canned-replies`"""
        return cast("CannedReplyCreated", self._call(
            "POST",
            "/canned-replies",
            query={"dry_run": dry_run},
            body=body,
            idempotency_key=idempotency_key,
        ))

    def get_canned_reply(self, id: str) -> CannedReplyCreated:
        """Get a canned reply. `GET /canned-replies/{id}`"""
        return cast("CannedReplyCreated", self._call("GET", "/canned-replies/{id}", parts=(id,)))

    def patch_canned_reply(
        self,
        id: str,
        body: CannedReplyPatch,
        *,
        dry_run: bool | None = None,
        if_match: str | None = None,
    ) -> CannedReplyCreated:
        """Update a canned reply. `PATCH /canned-replies/{id}`"""
        return cast("CannedReplyCreated", self._call(
            "PATCH",
            "/canned-replies/{id}",
            parts=(id,),
            query={"dry_run": dry_run},
            body=body,
            if_match=if_match,
        ))

    def delete_canned_reply(self, id: str, *, dry_run: bool | None = None) -> None:
        """Delete a canned reply. `DELETE /canned-replies/{id}`"""
        self._call("DELETE", "/canned-replies/{id}", parts=(id,), query={"dry_run": dry_run})

    def list_files(
        self,
        *,
        limit: int | None = None,
        offset: int | None = None,
        include: Literal["uses"] | None = None,
    ) -> StoredFileList:
        """List files. `GET /files`"""
        return cast("StoredFileList", self._call(
            "GET",
            "/files",
            query={"limit": limit, "offset": offset, "include": include},
        ))

    def iter_files(
        self,
        *,
        limit: int | None = None,
        include: Literal["uses"] | None = None,
    ) -> Iterator[StoredFile]:
        """List files, page after page."""
        return self._pages("/files", (), {"limit": limit, "include": include})

    def upload_file(
        self,
        body: Upload,
        *,
        name: str,
        content_type: str = "application/octet-stream",
        idempotency_key: str | None = None,
    ) -> StoredFile:
        """Upload a file. `POST /files`"""
        return cast("StoredFile", self._call(
            "POST",
            "/files",
            query={"name": name},
            upload=(body, content_type),
            idempotency_key=idempotency_key,
        ))

    def get_file(self, id: str) -> StoredFile:
        """Get a file. `GET /files/{id}`"""
        return cast("StoredFile", self._call("GET", "/files/{id}", parts=(id,)))

    def delete_file(self, id: str, *, dry_run: bool | None = None) -> None:
        """Delete a file. `DELETE /files/{id}`"""
        self._call("DELETE", "/files/{id}", parts=(id,), query={"dry_run": dry_run})

    def download_file(self, id: str) -> HTTPResponse:
        """Download a file. `GET /files/{id}/download`"""
        return cast("HTTPResponse", self._call(
            "GET",
            "/files/{id}/download",
            parts=(id,),
            file=True,
        ))

    def change_inbox_threads(
        self,
        body: ChangeInboxThreadsRequest,
        *,
        dry_run: bool | None = None,
        idempotency_key: str | None = None,
    ) -> ChangeInboxThreadsResult:
        """Change many conversations. `POST /inbox/threads/bulk`"""
        return cast("ChangeInboxThreadsResult", self._call(
            "POST",
            "/inbox/threads/bulk",
            query={"dry_run": dry_run},
            body=body,
            idempotency_key=idempotency_key,
        ))

    def list_inbox_thread_notes(self, id: str) -> InboxThreadNoteList:
        """List notes. `GET /inbox/threads/{id}/notes`"""
        return cast("InboxThreadNoteList", self._call(
            "GET",
            "/inbox/threads/{id}/notes",
            parts=(id,),
        ))

    def create_inbox_thread_note(
        self,
        id: str,
        body: InboxThreadNoteCreate,
        *,
        dry_run: bool | None = None,
        idempotency_key: str | None = None,
    ) -> InboxThreadNote:
        """Add a note. `POST /inbox/threads/{id}/notes`"""
        return cast("InboxThreadNote", self._call(
            "POST",
            "/inbox/threads/{id}/notes",
            parts=(id,),
            query={"dry_run": dry_run},
            body=body,
            idempotency_key=idempotency_key,
        ))

    def delete_inbox_thread_note(
        self,
        id: str,
        note_id: str,
        *,
        dry_run: bool | None = None,
    ) -> None:
        """Delete a note. `DELETE /inbox/threads/{id}/notes/{noteId}`"""
        self._call(
            "DELETE",
            "/inbox/threads/{id}/notes/{noteId}",
            parts=(id, note_id),
            query={"dry_run": dry_run},
        )

    def list_placement_seeds(
        self,
        *,
        limit: int | None = None,
        offset: int | None = None,
    ) -> PlacementSeedList:
        """List seeds. `GET /placement/seeds`"""
        return cast("PlacementSeedList", self._call(
            "GET",
            "/placement/seeds",
            query={"limit": limit, "offset": offset},
        ))

    def iter_placement_seeds(self, *, limit: int | None = None) -> Iterator[PlacementSeed]:
        """List seeds, page after page."""
        return self._pages("/placement/seeds", (), {"limit": limit})

    def create_placement_seed(
        self,
        body: PlacementSeedCreate,
        *,
        dry_run: bool | None = None,
        idempotency_key: str | None = None,
    ) -> PlacementSeedCreated:
        """Create a seed. `POST /placement/seeds`"""
        return cast("PlacementSeedCreated", self._call(
            "POST",
            "/placement/seeds",
            query={"dry_run": dry_run},
            body=body,
            idempotency_key=idempotency_key,
        ))

    def get_placement_seed(self, id: str) -> PlacementSeedCreated:
        """Get a seed. `GET /placement/seeds/{id}`"""
        return cast("PlacementSeedCreated", self._call("GET", "/placement/seeds/{id}", parts=(id,)))

    def patch_placement_seed(
        self,
        id: str,
        body: PlacementSeedPatch,
        *,
        dry_run: bool | None = None,
        if_match: str | None = None,
    ) -> PlacementSeedCreated:
        """Update a seed. `PATCH /placement/seeds/{id}`"""
        return cast("PlacementSeedCreated", self._call(
            "PATCH",
            "/placement/seeds/{id}",
            parts=(id,),
            query={"dry_run": dry_run},
            body=body,
            if_match=if_match,
        ))

    def delete_placement_seed(self, id: str, *, dry_run: bool | None = None) -> None:
        """Delete a seed. `DELETE /placement/seeds/{id}`"""
        self._call("DELETE", "/placement/seeds/{id}", parts=(id,), query={"dry_run": dry_run})

    def test_placement_seed(
        self,
        id: str,
        *,
        idempotency_key: str | None = None,
    ) -> TestPlacementSeedResult:
        """Test a seed. `POST /placement/seeds/{id}/test`"""
        return cast("TestPlacementSeedResult", self._call(
            "POST",
            "/placement/seeds/{id}/test",
            parts=(id,),
            idempotency_key=idempotency_key,
        ))

    def list_placement_runs(
        self,
        *,
        limit: int | None = None,
        offset: int | None = None,
        after: str | None = None,
        status: PlacementRunStatus | None = None,
        trigger_type: PlacementRunTriggerType | None = None,
        filter: str | None = None,
        sort: str | None = None,
    ) -> PlacementRunList:
        """List placement runs. `GET /placement/runs`"""
        return cast("PlacementRunList", self._call(
            "GET",
            "/placement/runs",
            query={"limit": limit, "offset": offset, "after": after, "status": status, "trigger_type": trigger_type, "filter": filter, "sort": sort},
        ))

    def iter_placement_runs(
        self,
        *,
        limit: int | None = None,
        status: PlacementRunStatus | None = None,
        trigger_type: PlacementRunTriggerType | None = None,
        filter: str | None = None,
        sort: str | None = None,
    ) -> Iterator[PlacementRun]:
        """List placement runs, page after page."""
        return self._pages(
            "/placement/runs",
            (),
            {"limit": limit, "status": status, "trigger_type": trigger_type, "filter": filter, "sort": sort},
        )

    def create_placement_run(
        self,
        body: PlacementRunCreate,
        *,
        idempotency_key: str | None = None,
    ) -> PlacementRunCreated:
        """Start a placement run. `POST /placement/runs`"""
        return cast("PlacementRunCreated", self._call(
            "POST",
            "/placement/runs",
            body=body,
            idempotency_key=idempotency_key,
        ))

    def get_placement_run(self, id: str) -> PlacementRunCreated:
        """Get a placement run. `GET /placement/runs/{id}`"""
        return cast("PlacementRunCreated", self._call("GET", "/placement/runs/{id}", parts=(id,)))

    def cancel_placement_run(self, id: str, *, idempotency_key: str | None = None) -> PlacementRun:
        """Cancel a placement run. `POST /placement/runs/{id}/cancel`"""
        return cast("PlacementRun", self._call(
            "POST",
            "/placement/runs/{id}/cancel",
            parts=(id,),
            idempotency_key=idempotency_key,
        ))

    def list_placement_schedules(
        self,
        *,
        limit: int | None = None,
        offset: int | None = None,
    ) -> PlacementScheduleList:
        """List placement schedules. `GET /placement/schedules`"""
        return cast("PlacementScheduleList", self._call(
            "GET",
            "/placement/schedules",
            query={"limit": limit, "offset": offset},
        ))

    def iter_placement_schedules(self, *, limit: int | None = None) -> Iterator[PlacementSchedule]:
        """List placement schedules, page after page."""
        return self._pages("/placement/schedules", (), {"limit": limit})

    def create_placement_schedule(
        self,
        body: PlacementScheduleCreate,
        *,
        dry_run: bool | None = None,
        idempotency_key: str | None = None,
    ) -> PlacementSchedule:
        """Create a placement schedule. `POST /placement/schedules`"""
        return cast("PlacementSchedule", self._call(
            "POST",
            "/placement/schedules",
            query={"dry_run": dry_run},
            body=body,
            idempotency_key=idempotency_key,
        ))

    def get_placement_schedule(self, id: str) -> PlacementSchedule:
        """Get a placement schedule. `GET /placement/schedules/{id}`"""
        return cast("PlacementSchedule", self._call(
            "GET",
            "/placement/schedules/{id}",
            parts=(id,),
        ))

    def patch_placement_schedule(
        self,
        id: str,
        body: PlacementSchedulePatch,
        *,
        dry_run: bool | None = None,
        if_match: str | None = None,
    ) -> PlacementSchedule:
        """Update a placement schedule. `PATCH /placement/schedules/{id}`"""
        return cast("PlacementSchedule", self._call(
            "PATCH",
            "/placement/schedules/{id}",
            parts=(id,),
            query={"dry_run": dry_run},
            body=body,
            if_match=if_match,
        ))

    def delete_placement_schedule(self, id: str, *, dry_run: bool | None = None) -> None:
        """Delete a placement schedule. `DELETE /placement/schedules/{id}`"""
        self._call("DELETE", "/placement/schedules/{id}", parts=(id,), query={"dry_run": dry_run})

    def get_account_placement(self, id: str) -> AccountPlacement:
        """Get an account's placement. `GET /accounts/{id}/placement`"""
        return cast("AccountPlacement", self._call("GET", "/accounts/{id}/placement", parts=(id,)))

    def list_webhooks(self, *, limit: int | None = None, offset: int | None = None) -> WebhookList:
        """List webhooks. `GET /webhooks`"""
        return cast("WebhookList", self._call(
            "GET",
            "/webhooks",
            query={"limit": limit, "offset": offset},
        ))

    def iter_webhooks(self, *, limit: int | None = None) -> Iterator[Webhook]:
        """List webhooks, page after page."""
        return self._pages("/webhooks", (), {"limit": limit})

    def create_webhook(
        self,
        body: WebhookCreate,
        *,
        dry_run: bool | None = None,
        idempotency_key: str | None = None,
    ) -> Webhook:
        """Create a webhook. `POST /webhooks`"""
        return cast("Webhook", self._call(
            "POST",
            "/webhooks",
            query={"dry_run": dry_run},
            body=body,
            idempotency_key=idempotency_key,
        ))

    def get_webhook(self, id: str) -> Webhook:
        """Get a webhook. `GET /webhooks/{id}`"""
        return cast("Webhook", self._call("GET", "/webhooks/{id}", parts=(id,)))

    def patch_webhook(
        self,
        id: str,
        body: WebhookPatch,
        *,
        dry_run: bool | None = None,
        if_match: str | None = None,
    ) -> Webhook:
        """Update a webhook. `PATCH /webhooks/{id}`"""
        return cast("Webhook", self._call(
            "PATCH",
            "/webhooks/{id}",
            parts=(id,),
            query={"dry_run": dry_run},
            body=body,
            if_match=if_match,
        ))

    def delete_webhook(self, id: str, *, dry_run: bool | None = None) -> None:
        """Delete a webhook. `DELETE /webhooks/{id}`"""
        self._call("DELETE", "/webhooks/{id}", parts=(id,), query={"dry_run": dry_run})

    def restore_webhook(
        self,
        id: str,
        *,
        dry_run: bool | None = None,
        idempotency_key: str | None = None,
    ) -> Webhook:
        """Restore a webhook. `POST /webhooks/{id}/restore`"""
        return cast("Webhook", self._call(
            "POST",
            "/webhooks/{id}/restore",
            parts=(id,),
            query={"dry_run": dry_run},
            idempotency_key=idempotency_key,
        ))

    def rotate_webhook_secret(
        self,
        id: str,
        body: RotateWebhookSecretRequest | None = None,
        *,
        dry_run: bool | None = None,
        idempotency_key: str | None = None,
    ) -> Webhook:
        """Rotate a webhook's secret. `POST /webhooks/{id}/rotate-secret`"""
        return cast("Webhook", self._call(
            "POST",
            "/webhooks/{id}/rotate-secret",
            parts=(id,),
            query={"dry_run": dry_run},
            body=body,
            idempotency_key=idempotency_key,
        ))

    def test_webhook(self, id: str, *, idempotency_key: str | None = None) -> TestWebhookResult:
        """Test a webhook. `POST /webhooks/{id}/test`"""
        return cast("TestWebhookResult", self._call(
            "POST",
            "/webhooks/{id}/test",
            parts=(id,),
            idempotency_key=idempotency_key,
        ))

    def check_webhook(self, id: str, *, idempotency_key: str | None = None) -> CheckWebhookResult:
        """Check a webhook's receiver. `POST /webhooks/{id}/check`"""
        return cast("CheckWebhookResult", self._call(
            "POST",
            "/webhooks/{id}/check",
            parts=(id,),
            idempotency_key=idempotency_key,
        ))

    def list_webhook_deliveries(
        self,
        id: str,
        *,
        limit: int | None = None,
        offset: int | None = None,
        after: str | None = None,
        status: ErasureWebhookStatus | None = None,
        type: EventType | None = None,
        filter: str | None = None,
        sort: str | None = None,
    ) -> WebhookDeliveryList:
        """List deliveries. `GET /webhooks/{id}/deliveries`"""
        return cast("WebhookDeliveryList", self._call(
            "GET",
            "/webhooks/{id}/deliveries",
            parts=(id,),
            query={"limit": limit, "offset": offset, "after": after, "status": status, "type": type, "filter": filter, "sort": sort},
        ))

    def iter_webhook_deliveries(
        self,
        id: str,
        *,
        limit: int | None = None,
        status: ErasureWebhookStatus | None = None,
        type: EventType | None = None,
        filter: str | None = None,
        sort: str | None = None,
    ) -> Iterator[WebhookDelivery]:
        """List deliveries, page after page."""
        return self._pages(
            "/webhooks/{id}/deliveries",
            (id,),
            {"limit": limit, "status": status, "type": type, "filter": filter, "sort": sort},
        )

    def get_webhook_delivery(self, id: str, delivery_id: str) -> TestWebhookResult:
        """Get a delivery. `GET /webhooks/{id}/deliveries/{deliveryId}`"""
        return cast("TestWebhookResult", self._call(
            "GET",
            "/webhooks/{id}/deliveries/{deliveryId}",
            parts=(id, delivery_id),
        ))

    def replay_webhook_delivery(
        self,
        id: str,
        delivery_id: str,
        *,
        dry_run: bool | None = None,
        idempotency_key: str | None = None,
    ) -> TestWebhookResult:
        """Replay a delivery. `POST /webhooks/{id}/deliveries/{deliveryId}/replay`"""
        return cast("TestWebhookResult", self._call(
            "POST",
            "/webhooks/{id}/deliveries/{deliveryId}/replay",
            parts=(id, delivery_id),
            query={"dry_run": dry_run},
            idempotency_key=idempotency_key,
        ))

    def replay_webhook(
        self,
        id: str,
        body: ReplayWebhookRequest | None = None,
        *,
        idempotency_key: str | None = None,
    ) -> ReplayWebhookResult:
        """Replay events. `POST /webhooks/{id}/replay`"""
        return cast("ReplayWebhookResult", self._call(
            "POST",
            "/webhooks/{id}/replay",
            parts=(id,),
            body=body,
            idempotency_key=idempotency_key,
        ))

    def list_events(
        self,
        *,
        limit: int | None = None,
        offset: int | None = None,
        after: str | None = None,
        type: str | None = None,
        order: EventOrder | None = None,
        filter: str | None = None,
        sort: str | None = None,
    ) -> EventList:
        """List events. `GET /events`"""
        return cast("EventList", self._call(
            "GET",
            "/events",
            query={"limit": limit, "offset": offset, "after": after, "type": type, "order": order, "filter": filter, "sort": sort},
        ))

    def iter_events(
        self,
        *,
        limit: int | None = None,
        type: str | None = None,
        order: EventOrder | None = None,
        filter: str | None = None,
        sort: str | None = None,
    ) -> Iterator[Event]:
        """List events, page after page."""
        return self._pages(
            "/events",
            (),
            {"limit": limit, "type": type, "order": order, "filter": filter, "sort": sort},
        )

    def stream_events(self, *, after: str | None = None, type: str | None = None) -> HTTPResponse:
        """Stream events. `GET /events/stream`"""
        return cast("HTTPResponse", self._call(
            "GET",
            "/events/stream",
            query={"after": after, "type": type},
            file=True,
        ))

    def get_event(self, id: str) -> Event:
        """Get an event. `GET /events/{id}`"""
        return cast("Event", self._call("GET", "/events/{id}", parts=(id,)))

    def list_event_types(self) -> EventTypeDescriptionList:
        """List event types. `GET /event-types`"""
        return cast("EventTypeDescriptionList", self._call("GET", "/event-types"))

    def get_team(self) -> Team:
        """Get the team. `GET /team`"""
        return cast("Team", self._call("GET", "/team"))

    def patch_team(
        self,
        body: TeamPatch,
        *,
        dry_run: bool | None = None,
        if_match: str | None = None,
    ) -> Team:
        """Update the team. `PATCH /team`"""
        return cast("Team", self._call(
            "PATCH",
            "/team",
            query={"dry_run": dry_run},
            body=body,
            if_match=if_match,
        ))

    def list_team_members(
        self,
        *,
        limit: int | None = None,
        offset: int | None = None,
    ) -> TeamMemberList:
        """List members. `GET /team/members`"""
        return cast("TeamMemberList", self._call(
            "GET",
            "/team/members",
            query={"limit": limit, "offset": offset},
        ))

    def iter_team_members(self, *, limit: int | None = None) -> Iterator[TeamMember]:
        """List members, page after page."""
        return self._pages("/team/members", (), {"limit": limit})

    def get_team_member(self, id: str) -> TeamMember:
        """Get a member. `GET /team/members/{id}`"""
        return cast("TeamMember", self._call("GET", "/team/members/{id}", parts=(id,)))

    def patch_team_member(
        self,
        id: str,
        body: TeamMemberPatch,
        *,
        if_match: str | None = None,
    ) -> TeamMember:
        """Change a member's role. `PATCH /team/members/{id}`"""
        return cast("TeamMember", self._call(
            "PATCH",
            "/team/members/{id}",
            parts=(id,),
            body=body,
            if_match=if_match,
        ))

    def delete_team_member(self, id: str) -> None:
        """Remove a member. `DELETE /team/members/{id}`"""
        self._call("DELETE", "/team/members/{id}", parts=(id,))

    def list_team_invitations(
        self,
        *,
        limit: int | None = None,
        offset: int | None = None,
    ) -> TeamInvitationList:
        """List invitations. `GET /team/invitations`"""
        return cast("TeamInvitationList", self._call(
            "GET",
            "/team/invitations",
            query={"limit": limit, "offset": offset},
        ))

    def iter_team_invitations(self, *, limit: int | None = None) -> Iterator[TeamInvitation]:
        """List invitations, page after page."""
        return self._pages("/team/invitations", (), {"limit": limit})

    def create_team_invitation(
        self,
        body: TeamInvitationCreate,
        *,
        idempotency_key: str | None = None,
    ) -> TeamInvitationCreated:
        """Create an invitation. `POST /team/invitations`"""
        return cast("TeamInvitationCreated", self._call(
            "POST",
            "/team/invitations",
            body=body,
            idempotency_key=idempotency_key,
        ))

    def get_team_invitation(self, id: str) -> TeamInvitation:
        """Get an invitation. `GET /team/invitations/{id}`"""
        return cast("TeamInvitation", self._call("GET", "/team/invitations/{id}", parts=(id,)))

    def delete_team_invitation(self, id: str) -> None:
        """Delete an invitation. `DELETE /team/invitations/{id}`"""
        self._call("DELETE", "/team/invitations/{id}", parts=(id,))

    def list_keys(
        self,
        *,
        limit: int | None = None,
        offset: int | None = None,
        env: Environment | None = None,
    ) -> KeyList:
        """List keys. `GET /keys`"""
        return cast("KeyList", self._call(
            "GET",
            "/keys",
            query={"limit": limit, "offset": offset, "env": env},
        ))

    def iter_keys(
        self,
        *,
        limit: int | None = None,
        env: Environment | None = None,
    ) -> Iterator[Key]:
        """List keys, page after page."""
        return self._pages("/keys", (), {"limit": limit, "env": env})

    def create_key(self, body: KeyCreate, *, idempotency_key: str | None = None) -> KeyCreated:
        """Create a key. `POST /keys`"""
        return cast("KeyCreated", self._call(
            "POST",
            "/keys",
            body=body,
            idempotency_key=idempotency_key,
        ))

    def get_key(self, id: str, *, env: Environment | None = None) -> Key:
        """Get a key. `GET /keys/{id}`"""
        return cast("Key", self._call("GET", "/keys/{id}", parts=(id,), query={"env": env}))

    def delete_key(self, id: str, *, env: Environment | None = None) -> None:
        """Revoke a key. `DELETE /keys/{id}`"""
        self._call("DELETE", "/keys/{id}", parts=(id,), query={"env": env})

    def rotate_key(
        self,
        id: str,
        body: RotateKeyRequest | None = None,
        *,
        env: Environment | None = None,
        idempotency_key: str | None = None,
    ) -> KeyCreated:
        """Rotate a key. `POST /keys/{id}/rotate`"""
        return cast("KeyCreated", self._call(
            "POST",
            "/keys/{id}/rotate",
            parts=(id,),
            query={"env": env},
            body=body,
            idempotency_key=idempotency_key,
        ))

    def list_audit(
        self,
        *,
        limit: int | None = None,
        offset: int | None = None,
        after: str | None = None,
        actor: str | None = None,
        action: str | None = None,
        target: str | None = None,
        request_id: str | None = None,
        since: str | None = None,
        until: str | None = None,
        filter: str | None = None,
        sort: str | None = None,
    ) -> AuditList:
        """List audit entries. `GET /audit`"""
        return cast("AuditList", self._call(
            "GET",
            "/audit",
            query={"limit": limit, "offset": offset, "after": after, "actor": actor, "action": action, "target": target, "request_id": request_id, "since": since, "until": until, "filter": filter, "sort": sort},
        ))

    def iter_audit(
        self,
        *,
        limit: int | None = None,
        actor: str | None = None,
        action: str | None = None,
        target: str | None = None,
        request_id: str | None = None,
        since: str | None = None,
        until: str | None = None,
        filter: str | None = None,
        sort: str | None = None,
    ) -> Iterator[Audit]:
        """List audit entries, page after page."""
        return self._pages(
            "/audit",
            (),
            {"limit": limit, "actor": actor, "action": action, "target": target, "request_id": request_id, "since": since, "until": until, "filter": filter, "sort": sort},
        )

    def get_audit_chain(self, *, entries: int | None = None) -> AuditChain:
        """Check the audit log. `GET /audit/chain`"""
        return cast("AuditChain", self._call("GET", "/audit/chain", query={"entries": entries}))

    def export_audit(self, *, format: ImportLineFormat | None = None) -> HTTPResponse:
        """Export the audit log. `GET /exports/audit`"""
        return cast("HTTPResponse", self._call(
            "GET",
            "/exports/audit",
            query={"format": format},
            file=True,
        ))

    def list_requests(
        self,
        *,
        limit: int | None = None,
        offset: int | None = None,
        method: LoggedRequestMethod | None = None,
        outcome: LoggedRequestOutcome | None = None,
        path: str | None = None,
        key_id: str | None = None,
    ) -> LoggedRequestList:
        """List recent requests. `GET /requests`"""
        return cast("LoggedRequestList", self._call(
            "GET",
            "/requests",
            query={"limit": limit, "offset": offset, "method": method, "outcome": outcome, "path": path, "key_id": key_id},
        ))

    def iter_requests(
        self,
        *,
        limit: int | None = None,
        method: LoggedRequestMethod | None = None,
        outcome: LoggedRequestOutcome | None = None,
        path: str | None = None,
        key_id: str | None = None,
    ) -> Iterator[LoggedRequest]:
        """List recent requests, page after page."""
        return self._pages(
            "/requests",
            (),
            {"limit": limit, "method": method, "outcome": outcome, "path": path, "key_id": key_id},
        )

    def run_batch(
        self,
        body: RunBatchRequest,
        *,
        dry_run: bool | None = None,
        idempotency_key: str | None = None,
    ) -> RunBatchResult:
        """Run a batch. `POST /batch`"""
        return cast("RunBatchResult", self._call(
            "POST",
            "/batch",
            query={"dry_run": dry_run},
            body=body,
            idempotency_key=idempotency_key,
        ))

    def get_billing_subscription(self) -> BillingSubscription:
        """Get the subscription. `GET /billing/subscription`"""
        return cast("BillingSubscription", self._call("GET", "/billing/subscription"))

    def subscribe_to_plan(
        self,
        body: SubscribeToPlanRequest,
        *,
        idempotency_key: str | None = None,
    ) -> SubscribeToPlanResult:
        """Start or change a subscription. `POST /billing/subscribe`"""
        return cast("SubscribeToPlanResult", self._call(
            "POST",
            "/billing/subscribe",
            body=body,
            idempotency_key=idempotency_key,
        ))

    def set_billing_license(
        self,
        body: SetBillingLicenseRequest,
        *,
        idempotency_key: str | None = None,
    ) -> BillingSubscription:
        """Activate a license. `POST /billing/licence`"""
        return cast("BillingSubscription", self._call(
            "POST",
            "/billing/licence",
            body=body,
            idempotency_key=idempotency_key,
        ))

    def open_billing_portal(self, *, idempotency_key: str | None = None) -> SubscribeToPlanResult:
        """Open the billing portal. `POST /billing/portal`"""
        return cast("SubscribeToPlanResult", self._call(
            "POST",
            "/billing/portal",
            idempotency_key=idempotency_key,
        ))

    def get_sandbox_clock(self) -> SandboxClock:
        """Get the sandbox clock. `GET /sandbox/clock`"""
        return cast("SandboxClock", self._call("GET", "/sandbox/clock"))

    def move_sandbox_clock(
        self,
        body: MoveSandboxClockRequest,
        *,
        idempotency_key: str | None = None,
    ) -> SandboxClock:
        """Move the sandbox clock. `POST /sandbox/clock`"""
        return cast("SandboxClock", self._call(
            "POST",
            "/sandbox/clock",
            body=body,
            idempotency_key=idempotency_key,
        ))

    def list_sandbox_messages(
        self,
        *,
        limit: int | None = None,
        offset: int | None = None,
        after: str | None = None,
        recipient: str | None = None,
        account_id: str | None = None,
        filter: str | None = None,
        sort: str | None = None,
    ) -> SandboxMessageList:
        """List captured messages. `GET /sandbox/messages`"""
        return cast("SandboxMessageList", self._call(
            "GET",
            "/sandbox/messages",
            query={"limit": limit, "offset": offset, "after": after, "recipient": recipient, "account_id": account_id, "filter": filter, "sort": sort},
        ))

    def iter_sandbox_messages(
        self,
        *,
        limit: int | None = None,
        recipient: str | None = None,
        account_id: str | None = None,
        filter: str | None = None,
        sort: str | None = None,
    ) -> Iterator[SandboxMessage]:
        """List captured messages, page after page."""
        return self._pages(
            "/sandbox/messages",
            (),
            {"limit": limit, "recipient": recipient, "account_id": account_id, "filter": filter, "sort": sort},
        )

    def get_sandbox_message(self, id: str) -> SandboxMessageDetail:
        """Get a captured message. `GET /sandbox/messages/{id}`"""
        return cast("SandboxMessageDetail", self._call(
            "GET",
            "/sandbox/messages/{id}",
            parts=(id,),
        ))

    def get_sandbox_message_raw(self, id: str) -> HTTPResponse:
        """Download a captured message. `GET /sandbox/messages/{id}/raw`"""
        return cast("HTTPResponse", self._call(
            "GET",
            "/sandbox/messages/{id}/raw",
            parts=(id,),
            file=True,
        ))

    def inject_into_sandbox(
        self,
        body: InjectIntoSandboxRequest,
        *,
        idempotency_key: str | None = None,
    ) -> InjectIntoSandboxResult:
        """Inject a response. `POST /sandbox/inject`"""
        return cast("InjectIntoSandboxResult", self._call(
            "POST",
            "/sandbox/inject",
            body=body,
            idempotency_key=idempotency_key,
        ))

    def start_sandbox_demo(
        self,
        body: StartSandboxDemoRequest,
        *,
        idempotency_key: str | None = None,
    ) -> StartSandboxDemoResult:
        """Start the demo. `POST /sandbox/demo`"""
        return cast("StartSandboxDemoResult", self._call(
            "POST",
            "/sandbox/demo",
            body=body,
            idempotency_key=idempotency_key,
        ))

    def get_sandbox_settings(self) -> SandboxSettings:
        """Get the sandbox settings. `GET /sandbox/settings`"""
        return cast("SandboxSettings", self._call("GET", "/sandbox/settings"))

    def patch_sandbox_settings(
        self,
        body: SandboxSettingsPatch,
        *,
        if_match: str | None = None,
    ) -> SandboxSettings:
        """Update the sandbox settings. `PATCH /sandbox/settings`"""
        return cast("SandboxSettings", self._call(
            "PATCH",
            "/sandbox/settings",
            body=body,
            if_match=if_match,
        ))

    def reset_sandbox(self) -> None:
        """Reset the sandbox. `DELETE /sandbox`"""
        self._call("DELETE", "/sandbox")

    def list_backups(self, *, limit: int | None = None, offset: int | None = None) -> BackupList:
        """List backups. `GET /backups`"""
        return cast("BackupList", self._call(
            "GET",
            "/backups",
            query={"limit": limit, "offset": offset},
        ))

    def iter_backups(self, *, limit: int | None = None) -> Iterator[Backup]:
        """List backups, page after page."""
        return self._pages("/backups", (), {"limit": limit})

    def create_backup(self, *, idempotency_key: str | None = None) -> CreateBackupResult:
        """Create a backup. `POST /backups`"""
        return cast("CreateBackupResult", self._call(
            "POST",
            "/backups",
            idempotency_key=idempotency_key,
        ))

    def get_backup_task(self) -> BackupTask:
        """Get the current backup task. `GET /backups/task`"""
        return cast("BackupTask", self._call("GET", "/backups/task"))

    def get_backup_schedule(self) -> BackupSchedule:
        """Get the backup schedule. `GET /backups/schedule`"""
        return cast("BackupSchedule", self._call("GET", "/backups/schedule"))

    def upload_backup(
        self,
        body: Upload,
        *,
        content_type: str = "application/octet-stream",
        idempotency_key: str | None = None,
    ) -> Backup:
        """Upload a backup. `POST /backups/upload`"""
        return cast("Backup", self._call(
            "POST",
            "/backups/upload",
            upload=(body, content_type),
            idempotency_key=idempotency_key,
        ))

    def get_backup(self, id: str) -> Backup:
        """Get a backup. `GET /backups/{id}`"""
        return cast("Backup", self._call("GET", "/backups/{id}", parts=(id,)))

    def delete_backup(self, id: str) -> None:
        """Delete a backup. `DELETE /backups/{id}`"""
        self._call("DELETE", "/backups/{id}", parts=(id,))

    def download_backup(self, id: str) -> HTTPResponse:
        """Download a backup. `GET /backups/{id}/download`"""
        return cast("HTTPResponse", self._call(
            "GET",
            "/backups/{id}/download",
            parts=(id,),
            file=True,
        ))

    def verify_backup(
        self,
        id: str,
        body: VerifyBackupRequest | None = None,
        *,
        idempotency_key: str | None = None,
    ) -> CreateBackupResult:
        """Verify a backup. `POST /backups/{id}/verify`"""
        return cast("CreateBackupResult", self._call(
            "POST",
            "/backups/{id}/verify",
            parts=(id,),
            body=body,
            idempotency_key=idempotency_key,
        ))

    def restore_backup(
        self,
        id: str,
        body: RestoreBackupRequest | None = None,
        *,
        idempotency_key: str | None = None,
    ) -> CreateBackupResult:
        """Restore a backup. `POST /backups/{id}/restore`"""
        return cast("CreateBackupResult", self._call(
            "POST",
            "/backups/{id}/restore",
            parts=(id,),
            body=body,
            idempotency_key=idempotency_key,
        ))

    def get_system(self) -> SystemStatus:
        """Get the system state. `GET /system`"""
        return cast("SystemStatus", self._call("GET", "/system"))
