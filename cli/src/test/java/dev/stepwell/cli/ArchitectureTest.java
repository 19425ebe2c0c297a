package dev.stepwell.cli;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Holds the direction of imports, from here because this module sees all the others. */
final class ArchitectureTest {
  private static final JavaClasses CLASSES =
      new ClassFileImporter()
          .withImportOption(new ImportOption.DoNotIncludeTests())
          .importPackages("dev.stepwell");

  @Test
  void theFlowOfARequest_isTheDirectionOfImports() {
    layeredArchitecture()
        .consideringOnlyDependenciesInLayers()
        .layer("root")
        .definedBy("dev.stepwell.worker")
        .layer("intake")
        .definedBy("dev.stepwell.worker.intake..")
        .layer("dispatch")
        .definedBy("dev.stepwell.worker.dispatch..")
        .layer("execution")
        .definedBy("dev.stepwell.worker.execution..")
        .layer("state")
        .definedBy("dev.stepwell.worker.state..")
        .layer("workspace")
        .definedBy("dev.stepwell.worker.workspace..")
        .layer("snapshot")
        .definedBy("dev.stepwell.worker.snapshot..")
        .layer("archive")
        .definedBy("dev.stepwell.worker.archive..")
        .layer("commit")
        .definedBy("dev.stepwell.worker.commit..")
        .layer("pool")
        .definedBy("dev.stepwell.worker.pool..")
        .layer("runner")
        .definedBy("dev.stepwell.worker.runner..")
        .layer("config")
        .definedBy("dev.stepwell.worker.config..")
        .whereLayer("root")
        .mayNotBeAccessedByAnyLayer()
        .whereLayer("intake")
        .mayOnlyBeAccessedByLayers("root")
        .whereLayer("dispatch")
        .mayOnlyBeAccessedByLayers("root", "intake")
        .whereLayer("execution")
        .mayOnlyBeAccessedByLayers("root", "intake", "dispatch")
        .whereLayer("state")
        .mayOnlyBeAccessedByLayers(
            "root", "execution", "commit", "snapshot", "workspace", "archive")
        .whereLayer("workspace")
        .mayOnlyBeAccessedByLayers("execution", "snapshot", "archive")
        .whereLayer("snapshot")
        .mayOnlyBeAccessedByLayers("root", "execution", "commit", "archive")
        .whereLayer("archive")
        .mayNotBeAccessedByAnyLayer()
        .whereLayer("commit")
        .mayOnlyBeAccessedByLayers("root", "intake", "dispatch", "execution")
        .whereLayer("pool")
        .mayOnlyBeAccessedByLayers("root", "execution", "config")
        .whereLayer("runner")
        .mayOnlyBeAccessedByLayers("root", "execution", "pool")
        .check(CLASSES);
  }

  @Test
  void backend_isNamedByTheCompositionRootAlone() {
    noClasses()
        .that(
            resideInAPackage("dev.stepwell..")
                .and(
                    not(
                        resideInAnyPackage(
                            "dev.stepwell.worker", "dev.stepwell.worker.sandbox.."))))
        .should()
        .dependOnClassesThat(resideInAPackage("dev.stepwell.worker.sandbox.*.."))
        .check(CLASSES);
  }

  @Test
  void backends_knowNothingOfEachOther() {
    for (String backend : List.of("docker", "bubblewrap", "enroot")) {
      String own = "dev.stepwell.worker.sandbox." + backend + "..";
      noClasses()
          .that(resideInAPackage("dev.stepwell.worker.sandbox..").and(not(resideInAnyPackage(own))))
          .should()
          .dependOnClassesThat(resideInAPackage(own))
          .check(CLASSES);
    }
  }

  @Test
  void sandboxes_knowNothingOfWhatUsesThem() {
    noClasses()
        .that()
        .resideInAPackage("dev.stepwell.worker.sandbox..")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(
            "dev.stepwell.worker",
            "dev.stepwell.worker.config..",
            "dev.stepwell.worker.runner..",
            "dev.stepwell.worker.pool..",
            "dev.stepwell.worker.state..",
            "dev.stepwell.worker.commit..",
            "dev.stepwell.worker.execution..",
            "dev.stepwell.worker.dispatch..",
            "dev.stepwell.worker.intake..",
            "dev.stepwell.cli..",
            "dev.stepwell.client..")
        .check(CLASSES);
  }

  @Test
  void protocolAndBroker_useNothingOfOurs_andTheClientNothingButTheProtocol() {
    noClasses()
        .that()
        .resideInAnyPackage("dev.stepwell.protocol..", "dev.stepwell.broker..")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("dev.stepwell.worker..", "dev.stepwell.client..", "dev.stepwell.cli..")
        .check(CLASSES);
    noClasses()
        .that()
        .resideInAnyPackage("dev.stepwell.client..", "dev.stepwell.worker..")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("dev.stepwell.cli..", "dev.stepwell.broker..")
        .check(CLASSES);
    noClasses()
        .that()
        .resideInAPackage("dev.stepwell.client..")
        .should()
        .dependOnClassesThat()
        .resideInAPackage("dev.stepwell.worker..")
        .check(CLASSES);
  }

  @Test
  void packages_haveNoCycles() {
    slices().matching("dev.stepwell.(**)").should().beFreeOfCycles().check(CLASSES);
  }
}
